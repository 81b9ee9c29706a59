package contract

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestEveryExampleKeepsTheContract(t *testing.T) {
	d := Of(t)
	for _, e := range d.Examples() {
		if err := d.Check(e.Request, e.Response, e.Body); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryMutantOfEveryExampleIsRefused(t *testing.T) {
	testkit.Long(t)
	d := Of(t)
	total, examples := 0, d.Examples()
	for _, e := range examples {
		t.Run(e.String(), func(t *testing.T) {
			total += d.RefusesMutants(t, e.Request, e.Response, e.Body)
		})
	}
	t.Logf("%d mutants of %d examples", total, len(examples))
	if total < 5000 {
		t.Errorf("only %d mutants were made; the walk must have stopped early", total)
	}
}

// The mutants above follow each keyword of the schemas by itself. These follow
// rules that tie fields together, and the keywords that a validator of the older
// kind passes over in silence.
func TestTheCheckerJudgesWhatTiesFieldsTogether(t *testing.T) {
	d := Of(t)
	const created = `"createdAt":"2026-05-13T12:00:00.000Z"`
	const ended = `"completedAt":"2026-05-13T12:00:01.000Z"`
	for _, c := range []struct {
		what, operation string
		status          int
		body            string
		taken           bool
	}{
		{"a running job", "getExportJob", 200, `{"jobId":"j","status":"RUNNING",` + created + `}`, true},
		{"a running job that has ended", "getExportJob", 200, `{"jobId":"j","status":"RUNNING",` + created + `,` +
			ended + `}`, false},
		{"a completed job", "getExportJob", 200, `{"jobId":"j","status":"COMPLETED",` + created + `,` + ended + `}`,
			true},
		{"a completed job that has not ended", "getExportJob", 200, `{"jobId":"j","status":"COMPLETED",` + created +
			`}`, false},
		{"a completed job with an error", "getExportJob", 200, `{"jobId":"j","status":"COMPLETED",` + created + `,` +
			ended + `,"errorMessage":"x"}`, false},
		{"a canceled job", "getExportJob", 200, `{"jobId":"j","status":"CANCELED",` + created + `,` + ended + `}`,
			true},
		{"a failed job", "getExportJob", 200, `{"jobId":"j","status":"FAILED",` + created + `,` + ended +
			`,"errorMessage":"x"}`, true},
		{"a failed job without an error", "getExportJob", 200, `{"jobId":"j","status":"FAILED",` + created + `,` +
			ended + `}`, false},
		{"the right code for 404", "getCapture", 404, `{"error":"NotFound","message":"There is no such capture."}`,
			true},
		{"a known code that is not that of 404", "getCapture", 404,
			`{"error":"Conflict","message":"There is no such capture."}`, false},
		{"the right code for 400 with all problems", "updateAthlete", 400,
			`{"error":"BadRequest","message":"a","messages":"a; b"}`, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			e := d.Example(c.operation, c.status, "")
			err := d.Check(e.Request, e.Response, []byte(c.body))
			if c.taken && err != nil || !c.taken && err == nil {
				t.Errorf("taken should be %v: %v", c.taken, err)
			}
		})
	}
}

func TestAStatusThatAnOperationDoesNotHaveIsRefused(t *testing.T) {
	d := Of(t)
	for _, op := range d.Operations() {
		for status := 200; status < 600; status++ {
			if op.spec.Responses.Value(fmt.Sprint(status)) != nil {
				continue
			}
			resp := &http.Response{StatusCode: status, Header: http.Header{}}
			if d.Check(d.exampleRequest(op), resp, nil) == nil {
				t.Errorf("%s: the status %d was taken", op.ID, status)
			}
		}
	}
}

func TestAHeaderOfAnotherAnswerIsRefused(t *testing.T) {
	d := Of(t)
	e := d.Example("deleteAthlete", 200, "")
	e.Response.Header.Set("ETag", `"1"`)
	if err := d.Check(e.Request, e.Response, e.Body); err == nil || !strings.Contains(err.Error(), "Etag") {
		t.Errorf("a deletion with an ETag: %v", err)
	}
}

func TestAPathThatIsNotInTheDocumentMustBe404(t *testing.T) {
	d := Of(t)
	notFound := d.Example("getCapture", 404, "")
	found := d.Example("getCapture", 200, "")
	for _, path := range []string{"/v1", "/v1/", "/v1//captures", "/v1/captures/", "/v1/captures/../x",
		"/v1/athletes/a/b", "/v1/Captures", "/v1/healthz"} {
		req := httptest.NewRequest(http.MethodGet, "http://example.test"+path, nil)
		if err := d.Check(req, notFound.Response, notFound.Body); err != nil {
			t.Errorf("%s with 404: %v", path, err)
		}
		if d.Check(req, found.Response, found.Body) == nil {
			t.Errorf("%s with 200 was taken", path)
		}
	}
	letter := httptest.NewRequest(http.MethodGet, "http://example.test/v1/%63aptures/a", nil)
	if err := d.Check(letter, found.Response, found.Body); err != nil {
		t.Errorf("an escaped letter is the letter: %v", err)
	}
	slash := httptest.NewRequest(http.MethodGet, "http://example.test/v1/captures/a%2Fb", nil)
	if err := d.Check(slash, found.Response, found.Body); err != nil {
		t.Errorf("an escaped slash is part of the id: %v", err)
	}
}

func TestAMethodThatAPathDoesNotHaveMustBe405WithTheMethodsItHas(t *testing.T) {
	d := Of(t)
	req := httptest.NewRequest(http.MethodPut, "http://example.test/v1/athletes/a", nil)
	resp := &http.Response{StatusCode: http.StatusMethodNotAllowed,
		Header: d.Example("getAthlete", 404, "").Response.Header.Clone()}
	for _, limits := range []string{"RateLimit", "RateLimit-Policy", "Kinebase-Token-Expires"} {
		resp.Header.Del(limits) // the method is looked at before the token
	}
	body := []byte(`{"error":"MethodNotAllowed","message":"PUT is not allowed here."}`)
	for allow, taken := range map[string]bool{
		"DELETE, GET, HEAD, POST": true, "GET, HEAD, POST, DELETE": true,
		"GET, POST, DELETE": false, "GET, HEAD, POST, DELETE, PUT": false, "": false,
	} {
		resp.Header.Set("Allow", allow)
		if err := d.Check(req, resp, body); (err == nil) != taken {
			t.Errorf("Allow: %s: %v", allow, err)
		}
	}
}

func TestAnAnswerToHeadHasTheHeadersAndNoBody(t *testing.T) {
	d := Of(t)
	e := d.Example("getCapture", 200, "")
	e.Request.Method = http.MethodHead
	if err := d.Check(e.Request, e.Response, nil); err != nil {
		t.Error(err)
	}
	if d.Check(e.Request, e.Response, e.Body) == nil {
		t.Error("a body was taken")
	}
}

func TestAPreflightIsNoOperationAndMayBeAnswered(t *testing.T) {
	d := Of(t)
	req := httptest.NewRequest(http.MethodOptions, "http://example.test/v1/captures", nil)
	resp := &http.Response{StatusCode: http.StatusNoContent,
		Header: http.Header{"Access-Control-Allow-Origin": {"https://lab.example"}}}
	if d.Check(req, resp, nil) == nil {
		t.Error("OPTIONS by itself is no preflight and must be 405")
	}
	req.Header.Set("Access-Control-Request-Method", "GET")
	if err := d.Check(req, resp, nil); err != nil {
		t.Error(err)
	}
	resp.Header.Del("Access-Control-Allow-Origin")
	if d.Check(req, resp, nil) == nil {
		t.Error("it names no origin")
	}
}

// complaints is a test that notes its errors.
type complaints struct {
	testing.TB
	said []string
}

func (c *complaints) Helper() {}
func (c *complaints) Errorf(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func TestWrappedAnswersAreCheckedAndStillArriveWhole(t *testing.T) {
	d := Of(t)
	e := d.Example("getCapture", 200, "hitting")
	spoil := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := slices.Clone(e.Body)
		if spoil {
			body = []byte(strings.Replace(string(body), "session_id", "sessionId", 1))
		}
		Exchange{Operation: e.Operation, Response: e.Response, Body: body}.WriteTo(w)
	}))
	defer server.Close()

	for _, wrapping := range []string{"transport", "handler"} {
		for _, spoil = range []bool{false, true} {
			found := &complaints{TB: t}
			d := *d
			d.t = found
			var status int
			var body []byte
			if wrapping == "transport" {
				client := &http.Client{Transport: d.Wrap(server.Client().Transport)}
				resp, err := client.Get(server.URL + "/v1/captures/a")
				if err != nil {
					t.Fatal(err)
				}
				body, _ = io.ReadAll(resp.Body)
				resp.Body.Close()
				status = resp.StatusCode
			} else {
				w := httptest.NewRecorder()
				d.Handler(server.Config.Handler).ServeHTTP(w,
					httptest.NewRequest(http.MethodGet, "/v1/captures/a", nil))
				status, body = w.Code, w.Body.Bytes()
			}
			if status != 200 || len(body) != len(e.Body)-btoi(spoil) {
				t.Errorf("%s: the client got %d, %d bytes", wrapping, status, len(body))
			}
			if (len(found.said) > 0) != spoil {
				t.Errorf("%s, spoilt %v: %v", wrapping, spoil, found.said)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestPagesBesideTheInterfaceAreNotJudged(t *testing.T) {
	found := &complaints{TB: t}
	d := *Of(t)
	d.t = found
	h := d.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "ok") }))
	for _, path := range []string{"/healthz", "/v10/x", "/openapi.json"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	if len(found.said) > 0 {
		t.Error(found.said)
	}
}
