package form_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/httpapi/form"
)

var wanted = []string{"key", "policy"}

// read reads a form to its end.
func read(sent []byte) (fields map[string]string, file []byte, err error) {
	h := http.Header{"Content-Type": {"multipart/form-data; boundary=B"}}
	f, err := form.Open(h, bytes.NewReader(sent))
	if err != nil {
		return nil, nil, err
	}
	fields, part, err := f.Fields(wanted)
	if err != nil {
		return nil, nil, err
	}
	f.Allow(1 << 20)
	if file, err = io.ReadAll(part); err != nil {
		return nil, nil, f.Explain(err)
	}
	return fields, file, f.End()
}

// Whatever is sent as a form, it is refused by a fault of the caller, or has the fields and the file
// that mime/multipart reads in it, each once.
func FuzzForm(f *testing.F) {
	field := func(name, value string) string {
		return "--B\r\nContent-Disposition: form-data; name=" + name + "\r\n\r\n" + value + "\r\n"
	}
	before := field("key", "k") + field("policy", "p")
	file := "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n"
	for _, end := range []string{file + "--B--\r\n", file + "--B--", file, file + file + "--B--\r\n", "--B--\r\n",
		file + "--B\r\n\r\n--B--"} {
		f.Add([]byte(before + end))
	}
	f.Add([]byte(file + before + "--B--"))
	f.Add([]byte("--B\r\nContent-Disposition: form-data; name*=utf-8''key\r\nContent-Transfer-Encoding: " +
		"base64\r\n\r\n--B--"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		fields, got, err := read(sent)
		if err != nil {
			var wrong *fault.Error
			if !errors.As(err, &wrong) || wrong.Code != fault.BadRequest {
				t.Fatalf("refused by %v", err)
			}
			return
		}
		whole, err := multipart.NewReader(bytes.NewReader(sent), "B").ReadForm(1 << 20)
		if err != nil {
			t.Fatalf("mime/multipart reads it not at all: %v", err)
		}
		defer func() { _ = whole.RemoveAll() }()
		for _, name := range wanted {
			if v := whole.Value[name]; len(v) != 1 || v[0] != fields[name] {
				t.Errorf("%s is %q, mime/multipart has %q", name, fields[name], v)
			}
		}
		want := strings.Join(whole.Value["file"], "")
		for _, h := range whole.File["file"] {
			r, err := h.Open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
			want += string(b)
		}
		if string(got) != want {
			t.Errorf("the file is %q, mime/multipart has %q", got, want)
		}
	})
}
