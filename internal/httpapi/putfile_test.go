package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// bucketed has a server keep its files in a bucket.
func bucketed(t *testing.T) []apptest.Option {
	b := testkit.Bucket(t)
	var set []apptest.Option
	for name, value := range map[string]string{
		"ENDPOINT": b.Endpoint, "REGION": b.Region, "BUCKET": b.Name, "ACCESS_KEY_ID": b.AccessKey,
		"SECRET_ACCESS_KEY": b.SecretKey,
	} {
		set = append(set, apptest.With("KINEBASE_S3_"+name, value))
	}
	return set
}

func TestAFileIsPutOnceWhereverFilesLie(t *testing.T) {
	for name, start := range map[string]func(*testing.T) *apptest.App{
		"SQLite, disk":     func(t *testing.T) *apptest.App { return apptest.Start(t, apptest.SQLite) },
		"PostgreSQL, disk": func(t *testing.T) *apptest.App { return apptest.Start(t, apptest.PostgreSQL) },
		"SQLite, bucket":   func(t *testing.T) *apptest.App { return apptest.Start(t, apptest.SQLite, bucketed(t)...) },
	} {
		t.Run(name, func(t *testing.T) {
			a := start(t)
			token := a.Token(a.Organization())
			id := reserve(t, a, token, `{"file_name":"Sprung ä 1.trc"}`).SessionID
			path := "/captures/" + id + "/file"
			a.Do("PUT", path+"?file_name=other.trc", token, threeFrames).Want(400)
			a.Do("PUT", path+"?file_name=a&file_name=a", token, threeFrames).Want(400)
			a.Do("PUT", path+"?file_name=", token, threeFrames).Want(400)
			a.Do("PUT", path, token, threeFrames, "Content-Encoding", "gzip").Want(415)
			// A part, as who goes on with an upload sends it, must not be taken for the whole.
			a.Do("PUT", path, token, threeFrames, "Content-Range", "bytes 0-9/20").Want(400)
			if got := a.Get("/captures/"+id, token).Want(200).Object()["status"]; got != "awaiting_upload" {
				t.Fatalf("after what was refused it is %v", got)
			}
			if got := a.Do("PUT", path+"?file_name=Sprung%20%C3%A4%201.trc", token, threeFrames, "Content-Type",
				"text/plain; charset=utf-16").Want(204); len(got.Body) > 0 {
				t.Errorf("the answer has a body: %s", got.Body)
			}
			if status := settled(a, token, id); status != "completed" {
				t.Fatalf("it is %s", status)
			}
			if got := string(a.Get(path, token).Want(200).Body); got != threeFrames {
				t.Errorf("it came back as %q", got)
			}
			for range 2 {
				if got := a.Do("PUT", path, token, "other").Want(409); !strings.Contains(string(got.Body),
					"uploaded already") {
					t.Errorf("a second file: %s", got.Body)
				}
			}
			if got := string(a.Get(path, token).Want(200).Body); got != threeFrames {
				t.Errorf("after a second one it came back as %q", got)
			}
			fill(t, a, a.Organization(), `{"type":"capture","session_id":"elsewhere","status":"completed"}`)
			a.Do("PUT", "/captures/elsewhere/file", token, threeFrames).Want(404)
		})
	}
}

func TestACaptureThatWasNotReservedTakesNoFile(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	fill(t, a, org, `{"type":"capture","session_id":"imported","status":"completed"}`)
	if got := a.Do("PUT", "/captures/imported/file", a.Token(org), "x").Want(409); !strings.Contains(string(got.Body),
		"not reserved") {
		t.Errorf("it is told %s", got.Body)
	}
}

func TestAPutFileThatIsTooLargeOrCutShortLeavesNothingBehind(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_MAX_UPLOAD", "1KiB"))
	token := a.Token(a.Organization())
	id := reserve(t, a, token, `{"file_name":"a.trc"}`).SessionID
	path := "/captures/" + id + "/file"
	a.Do("PUT", path, token, strings.Repeat("x", 1025)).Want(413)
	chunked, err := http.NewRequestWithContext(t.Context(), "PUT", a.URL+path,
		struct{ io.Reader }{strings.NewReader(strings.Repeat("x", 100_000))})
	if err != nil {
		t.Fatal(err)
	}
	chunked.Header.Set("Authorization", "Bearer "+token)
	response, err := a.HTTP.Do(chunked)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != 413 {
		t.Errorf("a file that does not say its length is answered %d", response.StatusCode)
	}

	conn, err := net.Dial("tcp", strings.TrimPrefix(a.Root, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn,
		"PUT /v1%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\nhalf", path, token)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != 400 || !strings.Contains(string(text), "cut short") {
		t.Errorf("half a file is answered %d %s", answer.StatusCode, text)
	}
	if got := a.Get("/captures/"+id, token).Want(200).Object()["status"]; got != "awaiting_upload" {
		t.Errorf("it is %v", got)
	}
	a.Do("PUT", path, token, threeFrames).Want(204)
}

func TestAnEstimateOverHTTPIsOfTheBody(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	recorded(t, a, token, `{"file_name":"a.trc"}`)
	if got := string(a.Post("/data/export/estimate", token, `{}`).Want(200).Body); got !=
		`{"captures":1,"rows":3,"exact":true}` {
		t.Errorf("all is %s", got)
	}
	if got := string(a.Post("/data/export/estimate", token, `{"movement":"none"}`).Want(200).Body); got !=
		`{"captures":0,"rows":0,"exact":true}` {
		t.Errorf("nothing is %s", got)
	}
	a.Post("/data/export/estimate", token, `{"movements":"none"}`).Want(400)
	if got := a.Get("/data/export/job", token).Want(200).Object()["total_count"]; got != 0.0 {
		t.Errorf("an estimate has made %v jobs", got)
	}
}
