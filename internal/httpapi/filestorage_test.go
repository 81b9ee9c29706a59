package httpapi_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// filesTaken is what an organization's files take, and may take.
type filesTaken struct {
	Storage struct {
		Used    int64  `json:"file_bytes"`
		Allowed *int64 `json:"file_bytes_allowed"`
	} `json:"storage"`
}

func taken(a *apptest.App, token string) (f filesTaken) {
	a.Get("/overview", token).Want(200).Into(&f)
	return f
}

// unannounced sends a file without saying how long it is.
func unannounced(t *testing.T, a *apptest.App, path, token, content string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, a.URL+path,
		io.MultiReader(strings.NewReader(content)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := a.HTTP.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// intoBucket sends a form to the bucket that it is for.
func intoBucket(t *testing.T, r reservation, content string) (status int) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range r.UploadFields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := w.CreateFormFile("file", "anything")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(r.UploadURL, w.FormDataContentType(), &b)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestAnOrganizationsFilesTakeNoMoreThanIsAllowedHoweverTheyAreSent(t *testing.T) {
	const allowed = 100_000
	bound := apptest.With("KINEBASE_FILE_STORAGE", fmt.Sprint(allowed))
	for name, start := range map[string]func(*testing.T) *apptest.App{
		"SQLite, disk":     func(t *testing.T) *apptest.App { return apptest.Start(t, apptest.SQLite, bound) },
		"PostgreSQL, disk": func(t *testing.T) *apptest.App { return apptest.Start(t, apptest.PostgreSQL, bound) },
		"SQLite, bucket": func(t *testing.T) *apptest.App {
			return apptest.Start(t, apptest.SQLite, append(bucketed(t), bound)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := start(t)
			bucket := strings.Contains(name, "bucket")
			token, other := a.Token(a.Organization()), a.Token(a.Organization())
			text := func(bytes int) string { return strings.Repeat("x", bytes) }
			put := func(id, content string) *apptest.Answer {
				return a.Do("PUT", "/captures/"+id+"/file", token,
					content)
			}
			full := func(what, body string) {
				t.Helper()
				used := taken(a, token).Storage.Used
				if !strings.Contains(body, fmt.Sprintf("take %d bytes of the %d that they may take", used, allowed)) {
					t.Errorf("%s is told %s", what, body)
				}
			}
			first := reserve(t, a, token, `{"file_name":"a.trc"}`)
			put(first.SessionID, threeFrames).Want(204)
			if status := settled(a, token, first.SessionID); status != "completed" {
				t.Fatal(status)
			}
			// What was made of the file counts too.
			if got := taken(a, token).Storage; got.Used <= int64(len(threeFrames)) || got.Allowed == nil ||
				*got.Allowed != allowed {
				t.Errorf("taken: %+v", got)
			}
			large := reserve(t, a, token, `{"file_name":"b.trc"}`)
			full("a file that is too large", string(put(large.SessionID, text(allowed)).Want(409).Body))
			status, body := unannounced(t, a, "/captures/"+large.SessionID+"/file", token, text(allowed))
			if status != 409 {
				t.Fatalf("unannounced it is %d: %s", status, body)
			}
			full("one that was not announced", body)
			if !bucket {
				full("a form", string(upload(t, a, large, text(allowed)).Want(409).Body))
			}
			if got := a.Get("/captures/"+large.SessionID, token).Want(200).Object()["status"]; got !=
				"awaiting_upload" {
				t.Errorf("after a file that did not fit it is %v", got)
			}
			rest := allowed - taken(a, token).Storage.Used
			put(large.SessionID, text(int(rest))).Want(204) // to the last byte
			if status := settled(a, token, large.SessionID); status != "error" {
				t.Errorf("a text of no meaning is %s", status)
			}
			full("a reservation", string(a.Post("/captures", token, `{"file_name":"c.trc"}`).Want(409).Body))
			if metrics := string(a.Page("/metrics").Want(200).Body); !strings.Contains(metrics,
				"\nkinebase_file_storage_refusals_total ") ||
				strings.Contains(metrics, "\nkinebase_file_storage_refusals_total 0\n") {
				t.Error("the metrics do not tell of it")
			}
			if got := taken(a, other).Storage.Used; got != 0 {
				t.Errorf("the other organization's take %d bytes", got)
			}
			reserve(t, a, other, `{"file_name":"c.trc"}`)

			a.Delete("/captures/"+large.SessionID, token).Want(200)
			third := reserve(t, a, token, `{"file_name":"c.trc"}`)
			if bucket {
				// The bucket takes it; the capture says what became of it.
				if status := intoBucket(t, third, text(allowed)); status != 204 {
					t.Fatalf("the bucket answers %d", status)
				}
				if status := settled(a, token, third.SessionID); status != "error" {
					t.Errorf("it is %s", status)
				}
				full("the capture of a file in a bucket",
					string(a.Get("/captures/"+third.SessionID, token).Want(200).Body))
			} else {
				put(third.SessionID, threeFrames).Want(204)
			}
		})
	}
}

func TestWithoutABoundNothingIsSaidOfOne(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	if body := a.Get("/overview", a.Token(a.Organization())).Want(200).Body; !bytes.Contains(body,
		[]byte(`"file_bytes":0,"file_bytes_allowed":null`)) {
		t.Errorf("the overview is %s", body)
	}
	// An organization may have a bound of its own.
	if metrics := string(a.Page("/metrics").Want(200).Body); !strings.Contains(metrics,
		"kinebase_file_storage_refusals_total 0\n") {
		t.Error("the metrics do not tell of refusals")
	}
}
