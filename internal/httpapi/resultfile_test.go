package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
)

func TestAResultIsWrittenForWhoAsksFirstAndThenKept(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	const path, csv = "job%201/results", "text/csv"
	f.kept = map[export.Format]export.Kept{export.CSV: {Ask: true}}
	if head := get("HEAD", path, "Accept", csv); head.status != 200 || head.header.Get("Accept-Ranges") != "none" ||
		head.header.Get("Etag") == "" || len(f.asks) > 0 {
		t.Errorf("HEAD: %+v, asked for are %q", head, f.asks)
	}
	first := get("GET", path, "Accept", csv, "Range", "bytes=2-5")
	if first.status != 200 || first.header.Get("Accept-Ranges") != "none" || first.header.Get("Content-Length") != "" ||
		!slices.Equal(f.asks, []string{"csv"}) {
		t.Errorf("the first is %+v, asked for are %q", first, f.asks)
	}
	f.kept[export.CSV] = export.Kept{} // it is being made
	if got := get("GET", path, "Accept", csv); got.status != 200 || got.body != first.body || len(f.asks) != 1 {
		t.Errorf("the second is %+v, asked for are %q", got, f.asks)
	}

	s.files["kept"] = []byte(first.body)
	f.kept[export.CSV] = export.Kept{Name: "kept", Writers: export.Writers}
	whole := get("GET", path, "Accept", csv)
	size := len(first.body)
	if whole.status != 200 || whole.body != first.body || whole.header.Get("Accept-Ranges") != "bytes" ||
		whole.header.Get("Content-Length") != fmt.Sprint(size) ||
		whole.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		whole.header.Get("Content-Disposition") != `attachment; filename="export-job 1.csv"` ||
		whole.header.Get("Vary") != "Accept" {
		t.Errorf("kept it is %+v", whole)
	}
	if head := get("HEAD", path, "Accept", csv); head.status != 200 || head.body != "" ||
		head.header.Get("Content-Length") != fmt.Sprint(size) || head.header.Get("Accept-Ranges") != "bytes" ||
		head.header.Get("Etag") != whole.header.Get("Etag") {
		t.Errorf("HEAD: %+v", head)
	}
	sheet := get("GET", path+"?bom=1", "Accept", csv)
	if sheet.status != 200 || sheet.body != "\ufeff"+first.body ||
		sheet.header.Get("Content-Length") != fmt.Sprint(size+3) ||
		sheet.header.Get("Etag") == whole.header.Get("Etag") {
		t.Errorf("with a mark: %+v", sheet)
	}
	for from := range 6 { // with the mark cut anywhere, and not at all
		for to := from; to < 8; to++ {
			got := get("GET", path+"?bom=1", "Accept", csv, "Range", fmt.Sprintf("bytes=%d-%d", from, to), "If-Range",
				sheet.header.Get("Etag"))
			if got.status != 206 || got.body != sheet.body[from:to+1] ||
				got.header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", from, to, size+3) {
				t.Errorf("bytes %d to %d: %+v", from, to, got)
			}
		}
	}
	tag := whole.header.Get("Etag")
	for _, c := range []struct {
		headers []string
		status  int
		body    string
	}{
		{[]string{"Range", "bytes=10-"}, 206, first.body[10:]},
		{[]string{"Range", "bytes=-7"}, 206, first.body[size-7:]},
		{[]string{"Range", "bytes=10-", "If-Range", tag}, 206, first.body[10:]},
		{[]string{"Range", "bytes=10-", "If-Match", tag}, 206, first.body[10:]},
		{[]string{"Range", "bytes=1-2,4-5"}, 200, first.body},
		{[]string{"If-None-Match", tag}, 304, ""},
		{[]string{"If-None-Match", first.header.Get("Etag")}, 304, ""}, // it has the same bytes
		{[]string{"Range", "bytes=10-", "If-Range", first.header.Get("Etag")}, 206, first.body[10:]},
		{[]string{"Range", fmt.Sprintf("bytes=%d-", size)}, 416, ""},
	} {
		got := get("GET", path, append([]string{"Accept", csv}, c.headers...)...)
		if got.status != c.status || c.status != 416 && got.body != c.body {
			t.Errorf("%q: %+v", c.headers, got)
		}
	}

	// Rows are deleted.
	f.result.Version = "2"
	f.kept[export.CSV] = export.Kept{Wait: 3 * time.Second}
	for _, headers := range [][]string{nil, {"Range", "bytes=10-", "If-Range", tag}, {"If-Match", tag}} {
		if got := get("GET", path, append([]string{"Accept", csv}, headers...)...); got.status != 503 ||
			got.header.Get("Retry-After") != "3" || !strings.Contains(got.body, "made anew") {
			t.Errorf("meanwhile, %q: %+v", headers, got)
		}
	}
	if got := get("GET", path); got.status != 200 {
		t.Errorf("pages meanwhile: %+v", got)
	}
	s.files["kept anew"] = []byte("sessionid\n")
	f.kept[export.CSV] = export.Kept{Name: "kept anew", Writers: export.Writers}
	if got := get("GET", path, "Accept", csv, "Range", "bytes=4-", "If-Range", tag); got.status != 200 ||
		got.body != "sessionid\n" || got.header.Get("Etag") == tag {
		t.Errorf("an old range: %+v", got)
	}
	if got := get("GET", path, "Accept", csv, "Range", "bytes=4-", "If-Match", tag); got.status != 412 ||
		!strings.Contains(got.body, "If-Match") {
		t.Errorf("an old range that must match: %+v", got)
	}
	if got := get("GET", path, "Accept", csv, "If-None-Match", tag); got.status != 200 {
		t.Errorf("an old tag: %+v", got)
	}
	f.kept[export.CSV] = export.Kept{}
	if got := get("GET", path, "Accept", csv, "If-Match", tag); got.status != 412 {
		t.Errorf("written, and must match: %+v", got)
	}

	// It was kept by a program that writes other bytes of the same rows.
	f.kept[export.CSV] = export.Kept{Name: "kept anew", Writers: "0"}
	if got := get("GET", path, "Accept", csv, "Range", "bytes=4-", "If-Range", tag); got.status != 200 ||
		got.header.Get("Etag") == tag {
		t.Errorf("of other writers: %+v", got)
	}

	// The storage has lost it, and keeps it again: all the time it is the same file.
	f.asks = nil
	f.kept[export.CSV] = export.Kept{Name: "gone"}
	if got := get("GET", path, "Accept", csv); got.status != 200 || got.body != first.body ||
		!slices.Equal(f.asks, []string{"csvgone"}) {
		t.Errorf("lost: %+v, asked for are %q", got, f.asks)
	} else {
		s.files["again"] = []byte(first.body)
		f.kept[export.CSV] = export.Kept{Name: "again", Writers: export.Writers}
		if rest := get("GET", path, "Accept", csv, "Range", "bytes=4-", "If-Range",
			got.header.Get("Etag")); rest.status != 206 || rest.body != first.body[4:] {
			t.Errorf("made anew: %+v", rest)
		}
	}
}
