package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// uploads keeps files and reservations in memory.
type uploads struct {
	upload.Store
	mu      sync.Mutex
	files   map[string][]byte
	waiting map[string]bool      // sessions
	coming  map[string]time.Time // names, and until when they are expected
	arrived map[string]string    // session → name, size and hash
	full    bool                 // the disk
	room    upload.Room          // of the organization
	stored  map[string]upload.Stored
}

func newUploads(waiting ...string) *uploads {
	s := &uploads{files: map[string][]byte{}, waiting: map[string]bool{}, coming: map[string]time.Time{},
		arrived: map[string]string{}, stored: map[string]upload.Stored{}}
	for _, session := range waiting {
		s.waiting[session] = true
	}
	return s
}

func (s *uploads) Expect(_ context.Context, _ organization.Scope, session, name string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.arrived[session] != "":
		return fault.New(fault.Conflict, "a file has been uploaded already")
	case !s.waiting[session]:
		return fault.New(fault.NotFound, "there is no such capture")
	}
	s.coming[name] = until
	return nil
}

func (s *uploads) Room(context.Context, organization.Scope) (upload.Room, error) { return s.room, nil }

func (s *uploads) Arrive(_ context.Context, _ organization.Scope, session, name string, size int64, sum string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.arrived[session] != "" {
		return fault.New(fault.Conflict, "a file has been uploaded already")
	}
	s.arrived[session] = fmt.Sprintf("%s %d %s", name, size, sum)
	delete(s.coming, name)
	return nil
}

func (s *uploads) Forget(_ context.Context, _ organization.Scope, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		delete(s.coming, name)
		delete(s.files, name)
	}
	return nil
}

func (s *uploads) Put(_ context.Context, name string, r io.Reader, _ int64) (int64, error) {
	if s.full {
		return 0, fault.Busy(syscall.ENOSPC, 5*time.Second, "The server's disk is full. Nothing was stored.")
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = b
	return int64(len(b)), nil
}

type openFile struct{ *bytes.Reader }

func (openFile) Close() error { return nil }

func (s *uploads) Open(_ context.Context, name string) (upload.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.files[name]
	if !ok {
		return nil, upload.ErrNoFile
	}
	return openFile{bytes.NewReader(b)}, nil
}

func (s *uploads) Erase(_ context.Context, name string) error {
	delete(s.files, name)
	return nil
}

func (s *uploads) Stored(_ context.Context, _ organization.Scope, session string) (upload.Stored, error) {
	one, ok := s.stored[session]
	if !ok {
		return one, fault.New(fault.NotFound, "there is no such capture")
	}
	return one, nil
}

// nothing says that an upload left nothing behind.
func (s *uploads) nothing(t *testing.T, what string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files)+len(s.coming)+len(s.arrived) > 0 {
		t.Errorf("%s leaves %d files, expects %v, has %v", what, len(s.files), s.coming, s.arrived)
	}
}

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

// dial sends the beginning of a request over a connection of its own.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestLengthsThatAreWrongOverAConnection(t *testing.T) {
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "x", "a.c3d"})...)
	head := "POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: " + kind + "\r\n"
	half := len(body) - 10
	for what, c := range map[string]struct{ request, status string }{
		"chunked": {
			fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", head, half,
				body[:half], len(body)-half, body[half:]), "204"},
		"chunked, cut short": {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head,
			half, body[:half]), "400"},
		"a chunk that is none": {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\nzz\r\n", head, half,
			body[:half]), "400"},
		"a length that is too small": {fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, half, body[:half]), "400"},
		"no body":                    {head + "Content-Length: 0\r\n\r\n", "400"},
		"far too large a length":     {head + "Content-Length: 1000000000000\r\n\r\n" + body, "413"},
	} {
		s := newUploads(session)
		address := serve(t, New(Options{Uploads: s, Files: s, UploadKey: formKey,
			Now: func() time.Time { return start }}))
		answer := make([]byte, 12)
		if _, err := io.ReadFull(dial(t, address, c.request), answer); err != nil || string(answer) != "HTTP/1.1 "+
			c.status {
			t.Errorf("%s: %q, %v, want %s", what, answer, err, c.status)
		}
		if c.status != "204" {
			s.nothing(t, what)
		}
	}
}

func TestASenderWhoHangsUpLeavesNothingBehind(t *testing.T) {
	kind, body := formOf(t, append(signed(fieldsFor(session, start)),
		part{"file", strings.Repeat("x", 1000), "a.c3d"})...)
	s := newUploads(session)
	done := make(chan struct{})
	h := receiver(t, s, nil)
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		h.ServeHTTP(w, r)
	}))
	conn := dial(t, address,
		fmt.Sprintf("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind,
			len(body), body[:len(body)-500]))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
	s.nothing(t, "a sender who hung up")
}

// deadlines notes which deadlines an answer has.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error  { d.read = at; return nil }
func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = at; return nil }

func TestTheDeadlinesFollowAFileThatIsComing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		p := newPatient(w, time.Hour)
		r := patientReader{strings.NewReader("abc"), p}
		if _, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if left := time.Until(w.read); left != stall {
			t.Errorf("the next byte must come within %v", left)
		}
		if !w.write.After(w.read) {
			t.Error("the answer must be written before the last byte is in")
		}
		last := newPatient(w, time.Second)
		if last.moved(); !w.read.Equal(last.until) {
			t.Errorf("beyond the end by %v", w.read.Sub(last.until))
		}
	})
}

func TestWhoTakesAnAnswerSlowlyIsNotTakenToBeGone(t *testing.T) {
	const system, slowest = 4 << 20, 15_000 // bytes that wait in the system; bytes a second
	synctest.Test(t, func(t *testing.T) {
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		if _, err := newPatientWriter(w).Write([]byte("a")); err != nil {
			t.Fatal(err)
		}
		least := system / 3 / slowest * time.Second
		if read, write := time.Until(w.read), time.Until(w.write); read < least || write < least {
			t.Errorf("who needs %v for the next third is gone after %v, or %v", least, read, write)
		}
	})
}

// slowly gives a text in pieces, with some time before each.
type slowly struct {
	text   string
	pieces int
	pause  time.Duration
}

// Read waits and gives the next piece.
func (s *slowly) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	<-time.After(s.pause)
	n := copy(p, s.text[:max(1, min(len(s.text), (len(s.text)+s.pieces-1)/max(1, s.pieces)))])
	s.text, s.pieces = s.text[n:], s.pieces-1
	return n, nil
}

func TestAFileIsExpectedAsLongAsItIsComingAndNotMuchLonger(t *testing.T) {
	send := func(t *testing.T, expect func(call int) error) (status int, calls int) {
		s := newUploads(session)
		probe := &probing{uploads: s, expected: func(until time.Time) error {
			calls++
			if left := time.Until(until); left <= 0 || left > expected {
				t.Errorf("call %d: the file is expected for %v", calls, left)
			}
			return expect(calls)
		}}
		begun := time.Now()
		fields := policy{Organization: organization.In(formOrg).Organization, Session: session,
			Expires: begun.UnixMilli(), Max: 1 << 20}.fields(formKey)
		kind, body := formOf(t, append(signed(fields), part{"file", strings.Repeat("x", 100_000), "a.c3d"})...)
		r := httptest.NewRequest(http.MethodPost, "/v1/uploads", &slowly{body, 20, 20 * time.Second})
		r.Header.Set("Content-Type", kind)
		r.ContentLength = int64(len(body))
		w := httptest.NewRecorder()
		New(Options{Uploads: probe, Files: s, UploadKey: formKey, Now: func() time.Time { return begun }}).ServeHTTP(w,
			r)
		return w.Code, calls
	}
	synctest.Test(t, func(t *testing.T) {
		if status, calls := send(t, func(int) error { return nil }); status != http.StatusNoContent || calls < 2 {
			t.Errorf("answered with %d after %d calls", status, calls)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		status, _ := send(t, func(call int) error {
			if call > 1 {
				return fault.New(fault.Conflict, "a file has been uploaded already")
			}
			return nil
		})
		if status != http.StatusConflict {
			t.Errorf("a file that is not awaited any more is answered with %d", status)
		}
	})
}

type probing struct {
	*uploads
	expected func(time.Time) error
}

func (p *probing) Expect(ctx context.Context, s organization.Scope, session, name string, until time.Time) error {
	if err := p.expected(until); err != nil {
		return err
	}
	return p.uploads.Expect(ctx, s, session, name, until)
}
