package httpapi

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Whatever is sent as a form, it is answered in one of the ways that are promised,
// and leaves a file exactly when it was taken.
func FuzzForm(f *testing.F) {
	fields := fieldsFor(session, start)
	var body strings.Builder
	for _, name := range formFields {
		body.WriteString("--B\r\nContent-Disposition: form-data; name=" + name + "\r\n\r\n" + fields[name] + "\r\n")
	}
	file := "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n"
	for _, end := range []string{file + "--B--\r\n", file + "--B--", file, file + file + "--B--\r\n", "--B--\r\n",
		file + "--B\r\n\r\n--B--"} {
		f.Add([]byte(body.String() + end))
	}
	f.Add([]byte(file + body.String() + "--B--"))
	f.Add([]byte("--B\r\nContent-Disposition: form-data; name*=utf-8''key\r\nContent-Transfer-Encoding: " +
		"base64\r\n\r\n--B--"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		s := newUploads(session)
		h := New(Options{Uploads: s, Files: s, UploadKey: formKey, Now: func() time.Time { return start }})
		w := post(h, "multipart/form-data; boundary=B", bytes.NewReader(sent))
		switch w.Code {
		case 204:
			if len(s.files) != 1 || len(s.arrived) != 1 || len(s.coming) != 0 {
				t.Errorf("a form that was taken leaves %d files, %v", len(s.files), s.arrived)
			}
		case 400, 403, 413:
			s.nothing(t, "a refused form")
		default:
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
