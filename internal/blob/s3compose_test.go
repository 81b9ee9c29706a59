package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/upload"
)

// pieced keeps pieces of so many bytes each, and gives them and the sum of all.
func pieced(t *testing.T, s *blob.S3, sizes ...int) (pieces []upload.Piece, sum [sha256.Size]byte) {
	t.Helper()
	chance, all := rand.New(rand.NewPCG(1, 2)), sha256.New()
	for i, size := range sizes {
		b := make([]byte, size)
		for k := range b {
			b[k] = byte(chance.Uint32())
		}
		all.Write(b)
		name := fmt.Sprintf("piece/%d", i)
		if _, err := s.Put(t.Context(), name, bytes.NewReader(b), int64(size)); err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, upload.Piece{Name: name, Size: int64(size)})
	}
	return pieces, [sha256.Size]byte(all.Sum(nil))
}

func TestOneObjectIsMadeOfPiecesAndNoneOfTheirBytesComesHere(t *testing.T) {
	b := testkit.Bucket(t)
	g, s := gated(t, b)
	const least = 5 << 20
	pieces, want := pieced(t, s, least, least+1, 16<<20, 7)
	before := g.bytes.Load()
	if done, err := s.Compose(t.Context(), "whole", pieces); err != nil || !done {
		t.Fatalf("%v, %v", done, err)
	}
	if n := g.bytes.Load() - before; n > 10_000 {
		t.Errorf("%d bytes came", n)
	}
	f, err := s.Open(t.Context(), "whole")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, f.Size())); err != nil || f.Size() != 2*least+1+16<<20+7 ||
		[sha256.Size]byte(sum.Sum(nil)) != want {
		t.Errorf("the object has %d bytes, others than the pieces; %v", f.Size(), err)
	}
}

func TestWhatCannotBeMadeOfPiecesLeavesNothing(t *testing.T) {
	b := testkit.Bucket(t)
	s := openS3(t, options(b))
	const least = 5 << 20
	for _, sizes := range [][]int{{}, {least}, {least - 1, least}, {least, 10, least}} {
		pieces, _ := pieced(t, s, sizes...)
		if done, err := s.Compose(t.Context(), "whole", pieces); err != nil || done {
			t.Errorf("%v: %v, %v", sizes, done, err)
		}
	}
	pieces, _ := pieced(t, s, least, least, least)
	if err := s.Erase(t.Context(), pieces[1].Name); err != nil {
		t.Fatal(err)
	}
	if done, err := s.Compose(t.Context(), "whole", pieces); !errors.Is(err, upload.ErrNoFile) || done {
		t.Errorf("without one of them: %v, %v", done, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if done, err := s.Compose(ended, "whole", pieces); !errors.Is(err, context.Canceled) || done {
		t.Errorf("of a caller who has gone: %v, %v", done, err)
	}
	for _, name := range objects(t, b) {
		if name != "kine base/piece/0" && name != "kine base/piece/1" && name != "kine base/piece/2" {
			t.Errorf("%s is left", name)
		}
	}
}
