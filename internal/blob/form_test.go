package blob_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

var anybody = organization.In("0197a0c4-2a8e-7000-8000-000000000001")

const session = "0197a0c4-2a8e-7000-8000-000000000002_1"

func reservation() upload.Reservation {
	return upload.Reservation{Capture: capture.Capture{SessionID: session}, Expires: time.Now().Add(time.Minute)}
}

// send posts a file as any browser would, and gives the status.
func send(t *testing.T, f upload.Form, content []byte) int {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(f.Fields)) {
		if err := w.WriteField(name, f.Fields[name]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", "throw.c3d")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.URL, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode >= 300 {
		t.Logf("%d %s %v", answer.StatusCode, text, err)
	}
	return answer.StatusCode
}

func landed(t *testing.T, s *blob.S3) (all []upload.Landing) {
	t.Helper()
	if err := s.Landed(t.Context(), func(l upload.Landing) error { all = append(all, l); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func content(t *testing.T, s *blob.S3, name string) string {
	t.Helper()
	f, err := s.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func TestAFileThatWasSentByAFormLandsAndIsAdopted(t *testing.T) {
	b := testkit.Bucket(t)
	o := options(b)
	o.PublicEndpoint = before(t, b).URL // another address than ours
	s := openS3(t, o)
	form, err := s.Form(t.Context(), anybody, reservation())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(form.URL, o.PublicEndpoint+"/") {
		t.Errorf("the form leads to %s", form.URL)
	}
	began := time.Now().Add(-2 * time.Second) // object stores count in seconds
	if status := send(t, form, []byte("a movement")); status != http.StatusNoContent {
		t.Fatalf("answered %d", status)
	}
	all := landed(t, s)
	if len(all) != 1 {
		t.Fatalf("landed: %+v", all)
	}
	l := all[0]
	if l.Organization != anybody.Organization.String() || l.SessionID != session || l.Size != 10 || l.ETag == "" ||
		l.Name != upload.LandingName(anybody.Organization.String(), session) || l.At.Before(began) ||
		l.At.After(time.Now().Add(time.Second)) {
		t.Errorf("landed: %+v", l)
	}
	name := upload.OriginalName(anybody.Organization.String())
	if err := s.Adopt(t.Context(), l, name); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Drop(t.Context(), l); err != nil {
			t.Error(err)
		}
	}
	if got := content(t, s, name); got != "a movement" {
		t.Errorf("adopted: %q", got)
	}
	if all := landed(t, s); len(all) > 0 {
		t.Errorf("after dropping there is still %+v", all)
	}
	if err := s.Adopt(t.Context(), l, upload.OriginalName(anybody.Organization.String())); !errors.Is(err,
		upload.ErrNoFile) {
		t.Errorf("adopting what was dropped: %v", err)
	}
	if left := objects(t, b); len(left) != 1 {
		t.Errorf("in the bucket there is %q", left)
	}
}

func TestAFileThatWasOvertakenByASecondIsNotAdopted(t *testing.T) {
	s := openS3(t, options(testkit.Bucket(t)))
	form, err := s.Form(t.Context(), anybody, reservation())
	if err != nil {
		t.Fatal(err)
	}
	send(t, form, []byte("the first"))
	first := landed(t, s)[0]
	if status := send(t, form, []byte("the second")); status != http.StatusNoContent {
		t.Fatalf("a second file is answered %d", status)
	}
	name := upload.OriginalName(anybody.Organization.String())
	if err := s.Adopt(t.Context(), first, name); !errors.Is(err, upload.ErrChanged) {
		t.Errorf("adopting the first: %v", err)
	}
	if _, err := s.Open(t.Context(), name); !errors.Is(err, upload.ErrNoFile) {
		t.Errorf("under the name there is something: %v", err)
	}
	if err := s.Adopt(t.Context(), landed(t, s)[0], name); err != nil {
		t.Fatal(err)
	}
	if got := content(t, s, name); got != "the second" {
		t.Errorf("adopted: %q", got)
	}
}

func TestAFormTakesNothingElseThanItSays(t *testing.T) {
	b := testkit.Bucket(t)
	o := options(b)
	o.MaxSize = 100
	s := openS3(t, o)
	for what, spoil := range map[string]func(*upload.Reservation, map[string]string){
		"expired": func(r *upload.Reservation, _ map[string]string) { r.Expires = time.Now().Add(-time.Second) },
		"another key": func(_ *upload.Reservation, f map[string]string) {
			f["key"] = strings.Replace(f["key"], "000001", "000009", 1)
		},
		"another policy": func(_ *upload.Reservation, f map[string]string) {
			policy, err := base64.StdEncoding.DecodeString(f["policy"])
			if err != nil || !bytes.Contains(policy, []byte("100")) {
				t.Fatalf("the policy is %s, %v", policy, err)
			}
			f["policy"] = base64.StdEncoding.EncodeToString(bytes.Replace(policy, []byte("100"), []byte("999"), 1))
		},
		"no signature": func(_ *upload.Reservation, f map[string]string) { delete(f, "x-amz-signature") },
		"another signature": func(_ *upload.Reservation,
			f map[string]string) {
			f["x-amz-signature"] = strings.Repeat("0", 64)
		},
		"one field more": func(_ *upload.Reservation, f map[string]string) { f["x-amz-meta-more"] = "1" },
	} {
		r := reservation()
		spoil(&r, map[string]string{"key": "", "policy": base64.StdEncoding.EncodeToString([]byte("100"))})
		form, err := s.Form(t.Context(), anybody, r)
		if err != nil {
			t.Fatal(err)
		}
		spoil(&r, form.Fields)
		if status := send(t, form, []byte("x")); status < 400 || status > 499 {
			t.Errorf("%s is answered %d", what, status)
		}
	}
	form, err := s.Form(t.Context(), anybody, reservation())
	if err != nil {
		t.Fatal(err)
	}
	if status := send(t, form, make([]byte, 101)); status < 400 || status > 499 {
		t.Errorf("a file that is too large is answered %d", status)
	}
	if left := objects(t, b); len(left) > 0 {
		t.Errorf("in the bucket there is %q", left)
	}
	for _, n := range []int{0, 100} {
		if status := send(t, form, make([]byte, n)); status != http.StatusNoContent {
			t.Errorf("a file of %d bytes is answered %d", n, status)
		}
	}
	l := landed(t, s)[0]
	l.Size = 101
	if err := s.Adopt(t.Context(), l, "a"); err == nil {
		t.Error("what is too large was adopted")
	}
}

func TestWhatNoFormLedToIsNotSeenAsLanded(t *testing.T) {
	s := openS3(t, options(testkit.Bucket(t)))
	for _, name := range []string{"landing/org=x/a", "landing/stray", "original/org=x/landing/a"} {
		if _, err := s.Put(t.Context(), name, strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	if all := landed(t, s); len(all) > 0 {
		t.Errorf("landed: %+v", all)
	}
	enough := errors.New("enough")
	for _, session := range []string{"a", "b"} {
		if _, err := s.Put(t.Context(), upload.LandingName(anybody.Organization.String(), session),
			strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	if err := s.Landed(t.Context(), func(upload.Landing) error { seen++; return enough }); err != enough || seen != 1 {
		t.Errorf("after %d: %v", seen, err)
	}
}
