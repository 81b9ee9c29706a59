package cli_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// oneMarker is a motion file of three frames.
const oneMarker = "PathFileType\t4\t(X/Y/Z)\tthree.trc\n" +
	"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
	"100\t100\t3\t1\tmm\t100\t1\t3\n" +
	"Frame#\tTime\tLASI\t\t\n" +
	"\t\tX1\tY1\tZ1\n\n" +
	"1\t0\t250\t125\t1500\n" +
	"2\t0.01\t251\t126\t1501\n" +
	"3\t0.02\t252\t127\t1502\n"

func TestAnExportIsDownloadedWhole(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	org := s.organization("A")
	_, secret := s.token(org, "--role", "editor")
	folder := filepath.Join(t.TempDir(), "trials")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.trc", "b.trc"} {
		if err := os.WriteFile(filepath.Join(folder, name),
			[]byte(strings.Replace(oneMarker, "250", fmt.Sprint(len(name)+int(name[0])), 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.run("import", "--org", org, folder).ok()
	jobs := filepath.Join(t.TempDir(), "jobs.ndjson")
	if err := os.WriteFile(jobs,
		[]byte(`{"type":"export_job","jobId":"J","status":"FAILED","errorMessage":"The export is too large.","completedAt":"2999-01-01T00:00:00Z"}`+"\n"+`{"type":"export_job","jobId":"K","status":"CANCELED","completedAt":"2999-01-01T00:00:00Z"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("import", "--org", org, jobs).ok()
	a := apptest.Start(t, apptest.SQLite, apptest.At(map[string]string{"data": s.env["KINEBASE_DATA"]}))
	s.env["KINEBASE_URL"], s.env["KINEBASE_TOKEN"] = a.URL, secret

	to := t.TempDir()
	file := filepath.Join(to, "all.csv")
	if r := s.run("export", "-o", file).ok(); !strings.HasPrefix(r.out, "Exported 6 rows to "+file) {
		t.Errorf("it says %q", r.out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	var said struct {
		Job     string
		Rows    int64
		File    string
		Bytes   int64
		Skipped []struct{}
		Count   *int64     `json:"skippedCount"`
		Reasons []struct{} `json:"skippedReasons"`
	}
	s.run("export", "-o", filepath.Join(to, "some"), "--format", "parquet", "--metric", "LASI_z", "--row-filter",
		"frame", "--to", "2999-01-01", "--date-mode", "last_modified", "--json").into(&said)
	if said.Rows != 2 || said.Bytes == 0 || said.Count == nil || *said.Count != 0 ||
		said.File != filepath.Join(to, "some") {
		t.Errorf("it says %+v", said)
	}
	// The same export again, as text for a spreadsheet, to standard output.
	r := s.run("export", "--job", said.Job, "--format", "csv", "--spreadsheet", "-o", "-").ok()
	if !strings.HasPrefix(r.out, "\ufeffsessionid,") || strings.Count(r.out, "\n") != 3 ||
		!strings.Contains(r.err, "Exported 2 rows to standard output") {
		t.Errorf("it writes %q and says %q", r.out, r.err)
	}
	if in := s.run("export", "--job", said.Job, "--format", "csv", "--spreadsheet", "--locale", "de", "-o",
		"-").ok(); !strings.HasPrefix(in.out, "\ufeffsessionid;") || len(in.out) != len(r.out) || in.out == r.out {
		t.Errorf("in German it writes %q", in.out)
	}

	trials := filepath.Join(to, "trials.csv")
	s.run("export", "--shape", "captures", "-o", trials).ok()
	if text, err := os.ReadFile(trials); err != nil || strings.Count(string(text), "\n") != 3 ||
		!strings.Contains(string(text), ",frame,time,frame_count,recording_duration") {
		t.Errorf("a row for each capture is %q, %v", text, err)
	}
	alone := filepath.Join(to, "alone.csv")
	s.run("export", "--capture", rows[1][0], "--capture", rows[1][0], "-o", alone).ok()
	if text, err := os.ReadFile(alone); err != nil || strings.Count(string(text), "\n") != 4 ||
		strings.Count(string(text), "\n"+rows[1][0]+",") != 3 {
		t.Errorf("three frames of one capture are %q, %v", text, err)
	}
	s.run("export", "--capture", "none", "-o", alone).fails(1, `captures names "none", which is no capture`)
	s.run("export", "--shape", "trials", "-o", filepath.Join(to, "no.csv")).fails(1, "shape must be frames")
	s.run("export", "--job", "J", "-o", filepath.Join(to, "no.csv")).fails(1,
		"the export failed: The export is too large. (export J)")
	s.run("export", "--job", "K", "-o", filepath.Join(to, "no.csv")).fails(1,
		"the export is CANCELED and has no result")
	s.run("export", "--job", "unknown", "-o", filepath.Join(to, "no.csv")).fails(1, "There is no such export job.")
	s.run("export", "--metric", "nobody_x", "-o", filepath.Join(to, "no.csv")).fails(1, `metrics names "nobody_x"`)
	s.run("export", "--metric", "LASI", "-o", filepath.Join(to, "no.csv")).fails(1,
		`metrics names "LASI", which is no column; its columns are LASI_x, LASI_y, LASI_z`)
	s.run("export", "-o", filepath.Join(to, "nowhere", "no.csv")).fails(1, "cannot write the file")
	s.run("export", "--url", "http://127.0.0.1:1/v1", "-o", filepath.Join(to, "no.csv")).fails(1,
		"the server cannot be reached")
	left, err := os.ReadDir(to)
	if err != nil || len(left) != 4 {
		t.Errorf("left behind are %v", left)
	}
}

func TestAnExportThatIsNotUnderstoodAsksNobody(t *testing.T) {
	s := newShell(t)
	s.run("export", "-o", "x.csv").fails(2, "no server is given: set KINEBASE_URL or use --url")
	s.env["KINEBASE_URL"] = "http://127.0.0.1:1/v1"
	s.run("export", "-o", "x.csv").fails(2, "no token is given")
	s.env["KINEBASE_TOKEN"] = "kb_x"
	folder := t.TempDir()
	for says, args := range map[string][]string{
		"not given is: --output=FILE":              {},
		"--format must say what to write":          {"-o", "x"},
		"--format must be csv, ndjson or parquet":  {"-o", "x.csv", "--format", "xlsx"},
		"--spreadsheet is for csv, not for ndjson": {"-o", "x.ndjson", "--spreadsheet"},
		"--locale is for csv, not for parquet":     {"-o", "x.parquet", "--locale", "de"},
		"--locale must be a language tag such as":  {"-o", "x.csv", "--locale", "german"},
		"--json and -o -":                          {"-o", "-", "--format", "csv", "--json"},
		"--from must be a time":                    {"-o", "x.csv", "--from", "May"},
		"--to must be a time":                      {"-o", "x.csv", "--to", "2026-05-32"},
		"-o must name a file, and " + folder:       {"-o", folder, "--format", "csv"},
		"--job goes on with an export as it was":   {"-o", "x.csv", "--job", "J", "--activity", "golf"},
		"--job goes on with an export as it":       {"-o", "x.csv", "--job", "J", "--capture", "s_1"},
		"it must be like http://HOST:PORT/v1":      {"-o", "x.csv", "--url", "host"},
		"export takes no further argument: x.csv":  {"-o", "x.csv", "x.csv"},
	} {
		s.run(append([]string{"export"}, args...)...).fails(2, says)
	}
}

// scripted is a server of one export, which does what is told with the result.
func scripted(t *testing.T, s *shell, running func(), result func(w http.ResponseWriter)) {
	scriptedRequest(t, s, running, func(w http.ResponseWriter, _ *http.Request) { result(w) })
}

func scriptedRequest(t *testing.T, s *shell, running func(), result http.HandlerFunc) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/results"):
			result(w, r)
		case running != nil:
			if r.Method == http.MethodGet {
				running()
			}
			_, _ = w.Write([]byte(`{"jobId":"J","status":"RUNNING","createdAt":"2026-05-13T12:00:00.000Z","progress":0.5}`))
		default:
			_, _ = w.Write([]byte(`{"jobId":"J","status":"COMPLETED","createdAt":"2026-05-13T12:00:00.000Z","completedAt":"2026-05-13T12:00:00.000Z","rowCount":1}`))
		}
	}))
	t.Cleanup(server.Close)
	s.env["KINEBASE_URL"], s.env["KINEBASE_TOKEN"] = server.URL+"/v1", "kb_x"
}

func TestWhoStopsAnExportIsToldHowItGoesOn(t *testing.T) {
	s := newShell(t)
	ctx, stop := context.WithCancel(t.Context())
	scripted(t, s, stop, nil)
	file := filepath.Join(t.TempDir(), "it's.csv")
	s.runWith(ctx, "export", "-o", file, "--spreadsheet").fails(1,
		"stopped; the export itself goes on. To wait for it and download it: kinebase export --job J --format csv "+
			"--spreadsheet -o '"+strings.Replace(file, "'", `'\''`, 1)+"'")
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) > 0 {
		t.Errorf("left behind are %v", left)
	}
}

func TestADownloadThatBreaksOffIsBegunAnew(t *testing.T) {
	s := newShell(t)
	tries, breaks := 0, 2
	scripted(t, s, nil, func(w http.ResponseWriter) {
		tries++
		_, _ = w.Write([]byte("sessionid\n" + strings.Repeat("x\n", 100_000)))
		if tries <= breaks {
			panic(http.ErrAbortHandler)
		}
	})
	file := filepath.Join(t.TempDir(), "x.csv")
	s.run("export", "-o", file).ok()
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") != 100_001 || tries != 3 {
		t.Errorf("after %d tries the file has %d bytes, %v", tries, len(text), err)
	}
	tries, breaks = 0, 1000
	s.run("export", "-o", filepath.Join(filepath.Dir(file), "y.csv")).fails(1, "EOF (export J)")
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 || tries != 3 {
		t.Errorf("after %d tries there are %v", tries, left)
	}
}

func TestWhatAnExportLeftOutIsToldByReason(t *testing.T) {
	s := newShell(t)
	job := `{"jobId":"J","status":"COMPLETED","createdAt":"2026-05-13T12:00:00.000Z","completedAt":"2026-05-13T12:00:00.000Z","rowCount":1,"skipped":[{"captureId":"a","reason":"It is damaged."},{"captureId":"b","reason":"It has no motion."},{"captureId":"c","reason":"It has no motion."}],"skippedCount":%d,"skippedReasons":[{"reason":"It has no motion.","count":%d},{"reason":"It is damaged.","count":1}]}`
	n := 3
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/results") {
			_, _ = fmt.Fprintf(w, job, n, n-1)
		}
	}))
	t.Cleanup(server.Close)
	s.env["KINEBASE_URL"], s.env["KINEBASE_TOKEN"] = server.URL+"/v1", "kb_x"
	file := filepath.Join(t.TempDir(), "x.csv")
	if r := s.run("export", "-o", file).ok(); r.err != "2 captures were left out: It has no motion.\n1 capture was "+
		"left out: It is damaged.\n" || !strings.HasSuffix(r.out, "; 3 captures left out.\n") {
		t.Errorf("it says %q and %q", r.out, r.err)
	}
	n = 4012
	if r := s.run("export", "-o", file).ok(); !strings.HasPrefix(r.err,
		"4,011 captures were left out: It has no motion.\n1 capture was left out: It is damaged.\n") ||
		!strings.HasSuffix(r.out, "; 4,012 captures left out.\n") {
		t.Errorf("of many it says %q and %q", r.out, r.err)
	}
	if r := s.run("export", "-o", file, "--json").ok(); r.err != "" || !strings.Contains(r.out, `"captureId":"c"`) ||
		!strings.Contains(r.out, `"skippedCount":4012,"skippedReasons":[{"reason":"It has no motion.","count":4011},`) {
		t.Errorf("as JSON it says %q and %q", r.out, r.err)
	}
}
