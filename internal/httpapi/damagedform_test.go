package httpapi

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// However a form is damaged, it is answered in one of the ways that are promised, and leaves a file
// exactly when it was taken.
func TestADamagedFormLeavesAFileExactlyWhenItIsTaken(t *testing.T) {
	fields := fieldsFor(session, start)
	var before strings.Builder
	for _, name := range formFields {
		before.WriteString("--B\r\nContent-Disposition: form-data; name=" + name + "\r\n\r\n" + fields[name] + "\r\n")
	}
	file := "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n"
	encoded := "--B\r\nContent-Disposition: form-data; name*=utf-8''key\r\nContent-Transfer-Encoding: base64\r\n\r\n"
	rapid.Check(t, func(t *rapid.T) {
		more := rapid.SampledFrom([]string{file, encoded, "--B\r\n\r\n", "\r\n"})
		pieces := rapid.SliceOfN(more, 0, 3).Draw(t, "pieces")
		sent := []byte(strings.Join(append([]string{before.String() + file}, pieces...), "") + "--B--\r\n")
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(sent)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "damage") {
			case 0:
				sent[at] = rapid.Byte().Draw(t, "byte")
			case 1:
				sent = sent[:at+1]
			case 2:
				sent = append(sent[:at:at], sent[at+1:]...)
			}
			if len(sent) == 0 {
				break
			}
		}
		s := newUploads(session)
		h := New(Options{Uploads: s, Files: s, UploadKey: formKey, Now: func() time.Time { return start }})
		w := post(h, "multipart/form-data; boundary=B", bytes.NewReader(sent))
		switch w.Code {
		case 204:
			if len(s.files) != 1 || len(s.arrived) != 1 || len(s.coming) != 0 {
				t.Errorf("a form that was taken leaves %d files, %v", len(s.files), s.arrived)
			}
		case 400, 403, 413:
			if len(s.files)+len(s.arrived)+len(s.coming) > 0 {
				t.Errorf("a refused form leaves %d files, %v, %v", len(s.files), s.arrived, s.coming)
			}
		default:
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
