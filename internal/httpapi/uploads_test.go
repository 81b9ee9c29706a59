package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

const (
	formOrg = "0191a0c0-1f7e-7b55-9a01-5d2c3b4a6978"
	session = "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1"
)

var formKey = []byte("a key that all servers share 123")

// fieldsFor are the fields of a form that lets a file of 1 KiB in.
func fieldsFor(session string, expires time.Time) map[string]string {
	return policy{Organization: organization.In(formOrg).Organization, Session: session, Expires: expires.UnixMilli(),
		Max: 1 << 10}.fields(formKey)
}

// part is a field of a form in a test: a file when it has a file name.
type part struct{ name, value, file string }

// formOf writes a form and gives its media type.
func formOf(t *testing.T, parts ...part) (kind, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		var out io.Writer
		var err error
		if p.file != "" {
			out, err = w.CreateFormFile(p.name, p.file)
		} else {
			out, err = w.CreateFormField(p.name)
		}
		if err == nil {
			_, err = io.WriteString(out, p.value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

func signed(fields map[string]string) []part {
	return []part{{"key", fields["key"], ""}, {"policy", fields["policy"], ""}, {"signature", fields["signature"], ""}}
}

// receiver is a handler that takes forms, held to the contract.
func receiver(t *testing.T, s *uploads, g caller.Gate) http.Handler {
	return contract.Of(t).Handler(
		New(Options{Uploads: s, Files: s, UploadKey: formKey, Door: &caller.Door{Gate: g},
			Now: func() time.Time { return start }}))
}

func post(h http.Handler, kind string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/v1/uploads", body)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAFileIsTakenByItsFormOnce(t *testing.T) {
	s := newUploads(session)
	h := receiver(t, s, nil)
	const content = "the file\x00\r\n--not the boundary\r\n"
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", content, "../../etc/passwd"})...)
	if w := post(h, kind, strings.NewReader(body)); w.Code != 204 || w.Body.Len() > 0 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	name, rest, _ := strings.Cut(s.arrived[session], " ")
	sum := sha256.Sum256([]byte(content))
	if rest != fmt.Sprint(len(content), " ", hex.EncodeToString(sum[:])) || string(s.files[name]) != content {
		t.Errorf("arrived as %q: %q", s.arrived[session], s.files[name])
	}
	if !strings.HasPrefix(name, "original/org="+formOrg+"/") || strings.Contains(name, "passwd") {
		t.Errorf("it is called %s", name)
	}
	w := post(h, kind, strings.NewReader(body))
	want(t, "a second file", w, 409, fault.Conflict)
	if len(s.files) != 1 || len(s.coming) != 0 {
		t.Errorf("%d files, expected are %v", len(s.files), s.coming)
	}
}

func TestAnEmptyFileIsAFile(t *testing.T) {
	s := newUploads(session)
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "", "a.c3d"})...)
	if w := post(receiver(t, s, nil), kind, strings.NewReader(body)); w.Code != 204 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(s.arrived[session], " 0 e3b0c442") {
		t.Errorf("arrived as %s", s.arrived[session])
	}
}

// Programs differ in how they write a form.
func TestFormsAreTakenAsProgramsWriteThem(t *testing.T) {
	f := fieldsFor(session, start)
	field := func(disposition, more, value string) string {
		return "--B\r\nContent-Disposition: form-data; " + disposition + "\r\n" + more + "\r\n" + value + "\r\n"
	}
	for what, c := range map[string][2]string{
		"curl": {"multipart/form-data; boundary=B", field(`name="key"`, "", f["key"]) +
			field(`name="policy"`, "", f["policy"]) + field(`name="signature"`, "", f["signature"]) +
			field(`name="file"; filename="a b.c3d"`, "Content-Type: application/octet-stream\r\n", "x") + "--B--\r\n"},
		"requests": {"multipart/form-data; boundary=B", field(`name="signature"`, "", f["signature"]) +
			field(`name="key"`, "", f["key"]) + field(`name="policy"`, "", f["policy"]) +
			field(`name="file"; filename="a.c3d"`, "", "x") + "--B--\r\n"},
		"a browser": {`multipart/form-data; boundary=B`, "\r\n" + field(`name="key"`, "", f["key"]) +
			field(`name="policy"`, "", f["policy"]) + field(`name="signature"`, "", f["signature"]) +
			field(`name="file"; filename="Ä.c3d"`, "Content-Type: text/plain\r\n", "x") + "--B--\r\n"},
		"no newline": {`Multipart/Form-Data; boundary="B"`, field(`name=key`, "", f["key"]) +
			field(`name=policy`, "Content-Transfer-Encoding: 8bit\r\n", f["policy"]) +
			field(`name=signature`, "", f["signature"]) + field(`name=file; filename*=UTF-8''%C3%84.c3d`,
			"content-transfer-encoding: BINARY\r\n", "x") + "--B--"},
		"a preamble": {"multipart/form-data; boundary=B; charset=utf-8", "This is a form.\r\n" +
			field(`name="key"`, "", f["key"]) + field(`name="policy"`, "Content-Type: text/plain; charset=utf-8\r\n",
			f["policy"]) + field(`name="signature"`, "", f["signature"]) + field(`name="file"`, "", "x") +
			"--B--\r\nThe end.\r\n"},
	} {
		s := newUploads(session)
		if w := post(receiver(t, s, nil), c[0], strings.NewReader(c[1])); w.Code != 204 ||
			!strings.Contains(s.arrived[session], " 1 2d711642") {
			t.Errorf("%s: %d %s %v", what, w.Code, w.Body, s.arrived)
		}
	}
}

func TestABadFormLeavesNothingBehindAndIsToldWhy(t *testing.T) {
	good := fieldsFor(session, start)
	file := part{"file", "x", "a.c3d"}
	change := func(name, value string) []part {
		f := fieldsFor(session, start)
		f[name] = value
		return append(signed(f), file)
	}
	var many []part
	for i := range 10_000 {
		many = append(many, part{fmt.Sprint("f", i), "", ""})
	}
	other := policy{Organization: organization.In(formOrg).Organization, Session: "other_1", Expires: start.UnixMilli(),
		Max: 1}.fields([]byte("another key"))
	for what, c := range map[string]struct {
		parts  []part
		status int
		says   string
	}{
		"no file":        {signed(good), 400, "has no file"},
		"nothing":        {nil, 400, "form"},
		"the file first": {append([]part{file}, signed(good)...), 400, "lacks the field key before the file"},
		"the file in between": {append(append(signed(good)[:2:2], file), signed(good)[2]), 400,
			"lacks the field signature"},
		"a field after the file": {append(append(signed(good), file), part{"more", "x", ""}), 400,
			`"more" comes after the file`},
		"two files": {append(append(signed(good), file), file), 400, "two files"},
		"a field twice": {append([]part{{"key", "x", ""}}, append(signed(good), file)...), 400,
			`"key" twice`},
		"an unknown field": {append([]part{{"Content-Type", "x", ""}}, append(signed(good), file)...), 400,
			`"Content-Type" is not a field`},
		"10,000 fields": {many, 400, "is not a field"},
		"a field without a name": {append([]part{{"", "x", ""}}, append(signed(good), file)...), 400,
			"is not a field"},
		"a huge field name": {append([]part{{strings.Repeat("n", 1<<20), "x", ""}},
			append(signed(good), file)...), 400, "at most 64 KiB"},
		"a long field name": {append([]part{{strings.Repeat("n", 9<<10), "x", ""}},
			append(signed(good), file)...), 400, "is not a field"},
		"a huge field": {append([]part{{"policy", strings.Repeat("n", 1<<20), ""}},
			append(signed(good), file)...), 400, "too long"},
		"another key":    {change("key", upload.LandingName(formOrg, "other_1")), 403, "were changed"},
		"another policy": {change("policy", other["policy"]), 403, "were changed"},
		"another policy, its key": {
			append(signed(map[string]string{
				"key": other["key"], "policy": other["policy"], "signature": good["signature"],
			}), file), 403, "were changed",
		},
		"signed by somebody else":  {append(signed(other), file), 403, "were changed"},
		"a signature cut short":    {change("signature", good["signature"][:62]), 403, "were changed"},
		"no signature":             {change("signature", ""), 403, "were changed"},
		"a signature that is none": {change("signature", "zz"), 403, "were changed"},
		"a policy with a tail":     {change("policy", good["policy"]+"="), 403, "were changed"},
		"a larger size": {
			change("policy", base64.RawURLEncoding.EncodeToString([]byte(`{"max":1000000000000}`))), 403,
			"were changed"},
		"too late": {append(signed(fieldsFor(session, start.Add(-time.Millisecond))), file), 403,
			"has passed"},
		"too large": {append(signed(good), part{"file", strings.Repeat("x", 1025), "a.c3d"}), 413,
			"larger than 1024 bytes"},
		"far too large": {append(signed(good), part{"file", strings.Repeat("x", 1<<20), "a.c3d"}),
			413, "larger than 1024 bytes"},
		"an unknown capture": {append(signed(fieldsFor("gone_1", start)), file), 404, "no such capture"},
	} {
		s := newUploads(session)
		kind, body := formOf(t, c.parts...)
		w := post(receiver(t, s, nil), kind, strings.NewReader(body))
		if w.Code != c.status || !strings.Contains(decoded(w), c.says) {
			t.Errorf("%s: %d %s, want %d %q", what, w.Code, w.Body, c.status, c.says)
		}
		if w.Header().Get("Www-Authenticate") != "" {
			t.Errorf("%s: a challenge, where no token would help", what)
		}
		s.nothing(t, what)
	}
}

// decoded is the body of an error with its quotes as people see them.
func decoded(w *httptest.ResponseRecorder) string {
	return strings.ReplaceAll(w.Body.String(), `\"`, `"`)
}

func TestWhatIsNoFormIsRefused(t *testing.T) {
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "x", "a.c3d"})...)
	boundary := strings.TrimPrefix(kind, "multipart/form-data; boundary=")
	for _, c := range []struct {
		kind, body string
		status     int
		says       string
	}{
		{"", body, 415, "multipart/form-data"},
		{"application/json", "{}", 415, "multipart/form-data"},
		{"application/x-www-form-urlencoded", "key=x", 415, "multipart/form-data"},
		{"multipart/mixed; boundary=" + boundary, body, 415, "multipart/form-data"},
		{"multipart/form-data", body, 400, "boundary"},
		{"multipart/form-data; boundary=", body, 400, "boundary"},
		{"multipart/form-data; boundary=" + strings.Repeat("b", 71), body, 400, "boundary"},
		{"multipart/form-data; boundary=other", body, 400, "cut short"},
		{kind, "", 400, "cut short"},
		{kind, body[:20], 400, "cut short"},
		{kind, body[:strings.Index(body, "filename")], 400, "has no file"},
		{kind, body[:len(body)-len(boundary)-8], 400, "cut short"},
		{kind, body[:len(body)-4], 400, "cut short"},
		{kind, strings.Repeat("x", 1<<20), 400, "can be read"},
		{kind, strings.Replace(body, "Content-Disposition", "Content Disposition", 1), 400, "is not a field"},
		{kind, strings.Replace(body, `form-data; name="policy"`, `attachment; name="policy"`, 1),
			400, "is not a field"},
		{kind, strings.Replace(body, "\r\nContent-Type: application/octet-stream\r\n",
			"\r\nContent-Transfer-Encoding: base64\r\n", 1), 400, "Content-Transfer-Encoding"},
	} {
		s := newUploads(session)
		w := post(receiver(t, s, nil), c.kind, strings.NewReader(c.body))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%.60q %.40q: %d %s, want %d %q", c.kind, c.body, w.Code, w.Body, c.status, c.says)
		}
		s.nothing(t, c.kind)
	}
	s := newUploads(session)
	r := httptest.NewRequest(http.MethodPost, "/v1/uploads", strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	receiver(t, s, nil).ServeHTTP(w, r)
	want(t, "a compressed form", w, 415, fault.UnsupportedMediaType)
	s.nothing(t, "a compressed form")
}

// A form is refused where it shows itself to be bad: what it would have gone on to
// send is not waited for.
func TestAForgedFormIsNotReadToItsEnd(t *testing.T) {
	fields := fieldsFor(session, start)
	fields["signature"] = strings.Repeat("0", 64)
	kind, body := formOf(t, append(signed(fields), part{"file", "", "a.c3d"})...)
	head := body[:strings.LastIndex(body, "\r\n--")]
	s := newUploads(session)
	endless := &counted{Reader: io.MultiReader(strings.NewReader(head), zeros{})}
	want(t, "a forged form", post(receiver(t, s, nil), kind, endless), 403, fault.Forbidden)
	if endless.n > 32<<10 {
		t.Errorf("%d bytes were read", endless.n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func TestAFullDiskIsToldAndMayBeTriedAgain(t *testing.T) {
	s := newUploads(session)
	h := receiver(t, s, nil)
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "x", "a.c3d"})...)
	s.full = true
	w := post(h, kind, strings.NewReader(body))
	want(t, "a full disk", w, 503, fault.Unavailable)
	if w.Header().Get("Retry-After") != "5" || !strings.Contains(w.Body.String(), "disk is full") {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	s.nothing(t, "a full disk")
	s.full = false
	if w := post(h, kind, strings.NewReader(body)); w.Code != 204 {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}

func TestFormsThatProveNothingAreCountedAgainstTheirAddress(t *testing.T) {
	s := newUploads(session)
	h := receiver(t, s, &gate{failures: 2})
	for i, status := range []int{415, 403, 429, 429} {
		kind := "text/plain"
		body := "x"
		if i > 0 {
			bad := fieldsFor(session, start)
			bad["signature"] = "00"
			kind, body = formOf(t, append(signed(bad), part{"file", "x", "a.c3d"})...)
		}
		if w := post(h, kind, strings.NewReader(body)); w.Code != status {
			t.Errorf("form %d: %d %s, want %d", i+1, w.Code, w.Body, status)
		}
	}
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "x", "a.c3d"})...)
	for _, status := range []int{204, 409} { // what is signed is no stranger's
		if w := post(h, kind, strings.NewReader(body)); w.Code != status {
			t.Errorf("a signed form: %d %s, want %d", w.Code, w.Body, status)
		}
	}
}

func TestWithoutAKeyNoUploadsAreTaken(t *testing.T) {
	want(t, "a server that is starting", post(New(Options{}), "multipart/form-data; boundary=B", strings.NewReader("")),
		503, fault.Unavailable)
}
