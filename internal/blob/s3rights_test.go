package blob_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/blob/blobtest"
	"github.com/kinebase/kinebase/internal/testkit"
)

// documented are the actions that the documentation asks for: with the bucket, and with its objects.
func documented(t *testing.T) (withBucket, withObjects []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, policy, _ := strings.Cut(string(text), "```json\n{\"Version\": \"2012-10-17\"")
	policy, _, _ = strings.Cut(policy, "```")
	var p struct {
		Statement []struct {
			Action   []string
			Resource string
		}
	}
	if err := json.Unmarshal([]byte(`{"Version": ""`+policy), &p); err != nil || len(p.Statement) != 2 {
		t.Fatalf("the policy of the documentation is not understood: %v", err)
	}
	return p.Statement[0].Action, p.Statement[1].Action
}

func TestAKeyWithTheRightsThatAreAskedForIsEnough(t *testing.T) {
	b := testkit.Bucket(t)
	withBucket, withObjects := documented(t)
	s := openS3(t, options(b.Allowing(t, withBucket, withObjects)))
	blobtest.Run(t, s, func() []string { return objects(t, b) })
	pieces, _ := pieced(t, s, 5<<20, 7)
	if done, err := s.Compose(t.Context(), "whole", pieces); err != nil || !done {
		t.Errorf("an object is not made of others: %v, %v", done, err)
	}
}

func TestAKeyThatLacksARightIsRefusedInWords(t *testing.T) {
	b := testkit.Bucket(t)
	withBucket, withObjects := documented(t)
	without := func(actions []string, missing string) []string {
		return slices.DeleteFunc(slices.Clone(actions), func(a string) bool { return a == missing })
	}
	says := map[string]string{"s3:ListBucket": "listed", "s3:ListBucketMultipartUploads": "asked for unfinished",
		"s3:GetObject": "read", "s3:PutObject": "written to", "s3:DeleteObject": "erased from",
		"s3:AbortMultipartUpload": "cleared of unfinished"}
	for _, missing := range slices.Concat(withBucket, withObjects) {
		key := b.Allowing(t, without(withBucket, missing), without(withObjects, missing))
		s, err := blob.OpenS3(t.Context(), options(key))
		if err == nil {
			s.Close()
			t.Errorf("a key without %s is taken", missing)
		} else if want := says[missing]; want == "" || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "access key") {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}
