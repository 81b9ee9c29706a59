package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestADownloadGoesOnWhereItBrokeOffUnlessTheFileIsAnother(t *testing.T) {
	tag, text := `"one"`, "sessionid\nwalk\n"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Etag", tag)
		w.Header().Set("Content-Type", r.Header.Get("Accept"))
		if r.URL.Query().Get("bom") == "1" { // as of a file that is not kept
			w.Header().Set("Accept-Ranges", "none")
			_, _ = io.WriteString(w, text)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	defer s.Close()
	c, err := New(s.URL+"/v1", "kb_x")
	if err != nil {
		t.Fatal(err)
	}
	get := func(options ...CallOption) (*File, string) {
		t.Helper()
		f, err := c.DownloadExport(t.Context(), "J", CSV, options...)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		return f, string(b)
	}
	if f, got := get(); got != text || f.Partial || f.Offset != 0 || !f.Ranges || f.ETag != tag ||
		f.Size != int64(len(text)) {
		t.Errorf("whole: %+v %q", f, got)
	}
	if f, got := get(From(5, tag)); got != text[5:] || !f.Partial || f.Offset != 5 || !f.Ranges || f.ETag != tag {
		t.Errorf("the rest: %+v %q", f, got)
	}
	if f, got := get(From(5, `"old"`)); got != text || f.Partial || f.Offset != 0 {
		t.Errorf("of another: %+v %q", f, got)
	}
	if f, got := get(From(5, tag), ForSpreadsheet()); got != text || f.Partial || f.Ranges {
		t.Errorf("of one that is not kept: %+v %q", f, got)
	}
}
