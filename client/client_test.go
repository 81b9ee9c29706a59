package client

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/contract"
)

const token = "kb_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE"

// seen is a request as the server got it.
type seen struct {
	method, uri string
	header      http.Header
	body        string
}

// answering starts a server that answers one request after the other with the
// given examples of the interface document, the last one again and again. Its
// answers pass through the contract's checker on their way.
func answering(t *testing.T, options []Option, examples ...*contract.Exchange) (*Client, *[]seen) {
	t.Helper()
	if slices.Contains(examples, nil) {
		t.Fatal("the document does not have such an example")
	}
	var requests []seen
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, seen{r.Method, r.RequestURI, r.Header, string(body)})
		examples[min(len(requests), len(examples))-1].WriteTo(w)
	}))
	t.Cleanup(server.Close)
	h := &http.Client{Transport: contract.Of(t).Wrap(server.Client().Transport)}
	c, err := New(server.URL+"/v1/", token, append([]Option{WithHTTPClient(h)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return c, &requests
}

// envelope puts a result back into what it was taken out of.
func envelope(operation string, result any) any {
	switch operation {
	case "createAthlete", "getAthlete", "updateAthlete", "mergeAthletes":
		return map[string]any{"athlete": result}
	case "getProcessing":
		return map[string]any{"processing": result}
	case "listLinkedAthletes":
		return map[string]any{"athletes": result}
	case "listTokens":
		return map[string]any{"tokens": result}
	case "listShares":
		return map[string]any{"shares": result}
	case "listWebhooks":
		return map[string]any{"webhooks": result}
	case "deleteAthlete", "revokeToken", "deleteWebhook", "deleteShare", "deleteCapture", "deleteExport",
		"unlinkAthlete":
		return map[string]any{"message": result}
	}
	return result
}

func TestEveryExampleOfTheInterfaceIsUnderstood(t *testing.T) {
	d := contract.Of(t)
	for _, op := range d.Operations() {
		if calls[op.ID] == nil {
			t.Errorf("the client has nothing for %s", op.ID)
		}
	}
	for _, e := range d.Examples() {
		t.Run(e.String(), func(t *testing.T) {
			c, requests := answering(t, nil, &e)
			var meta Meta
			call := calls[e.Operation.ID]
			if as := calls[e.Operation.ID+" "+e.Response.Header.Get("Content-Type")]; as != nil {
				call = as
			}
			result, err := call(t.Context(), c, WithMeta(&meta))

			r := (*requests)[0]
			if want := e.Request.URL.RequestURI(); r.method != e.Request.Method || r.uri != want {
				t.Errorf("it asked %s %s instead of %s %s", r.method, r.uri, e.Request.Method, want)
			}
			authorization := "Bearer " + token
			if e.Operation.Public { // its secret is the form
				authorization = ""
			}
			if len(e.Request.Header["Kinebase-Share"]) > 0 && r.header.Get("Kinebase-Share") != link {
				t.Errorf("Kinebase-Share: %s", r.header.Get("Kinebase-Share"))
			}
			if r.header.Get("Authorization") != authorization {
				t.Errorf("Authorization: %s", r.header.Get("Authorization"))
			}
			if meta.Status != e.Response.StatusCode || meta.RequestID != e.Response.Header.Get("X-Request-Id") ||
				meta.ETag != e.Response.Header.Get("ETag") {
				t.Errorf("the meta data are %+v", meta)
			}
			switch {
			case e.Response.StatusCode == http.StatusNotModified:
				if !errors.Is(err, ErrNotModified) {
					t.Errorf("it says %v", err)
				}
			case e.Response.StatusCode >= 300:
				understandsError(t, e, err)
			case err != nil:
				t.Error(err)
			case e.Response.StatusCode == http.StatusNoContent:
			case e.Response.Header.Get("Content-Type") != "application/json":
				sameFile(t, e, result.(*File))
			default:
				sameJSON(t, envelope(e.Operation.ID, result), e.Body)
			}
		})
	}
}

func understandsError(t *testing.T, e contract.Exchange, err error) {
	t.Helper()
	var got *Error
	if !errors.As(err, &got) {
		t.Fatalf("it says %v", err)
	}
	var body struct{ Error, Message, Messages string }
	if err := json.Unmarshal(e.Body, &body); err != nil {
		t.Fatal(err)
	}
	seconds, _ := strconv.Atoi(e.Response.Header.Get("Retry-After"))
	want := Error{
		e.Response.StatusCode, body.Error, body.Message, body.Messages,
		e.Response.Header.Get("X-Request-Id"), time.Duration(seconds) * time.Second,
	}
	if *got != want {
		t.Errorf("it says %+v instead of %+v", *got, want)
	}
}

// sameFile compares what was given with what was sent.
func sameFile(t *testing.T, e contract.Exchange, f *File) {
	t.Helper()
	got, err := io.ReadAll(f)
	if err != nil || f.Close() != nil || string(got) != string(e.Body) {
		t.Errorf("it gave %q, %v", got, err)
	}
	name := map[string]string{"getFile": "walk01.c3d",
		"getExportResults": "export-0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55.csv"}[e.Operation.ID]
	if f.Name != name || f.Type != e.Response.Header.Get("Content-Type") || f.Size != int64(len(e.Body)) ||
		f.Partial != (e.Response.StatusCode == http.StatusPartialContent) {
		t.Errorf("it says %+v", f)
	}
}

// sameJSON compares what was understood with what was sent; only the writing of
// times may differ.
func sameJSON(t *testing.T, got any, sent []byte) {
	t.Helper()
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(again, &a) != nil || json.Unmarshal(sent, &b) != nil {
		t.Fatalf("%s\n%s", again, sent)
	}
	if a, b = normal(a), normal(b); !reflect.DeepEqual(a, b) {
		t.Errorf("it understood\n%v instead of\n%v", a, b)
	}
}

func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = normal(x)
		}
	case []any:
		for i, x := range v {
			v[i] = normal(x)
		}
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.UTC()
		}
	}
	return v
}

func TestABodyHoldsWhatWasGivenAndNothingElse(t *testing.T) {
	d := contract.Of(t)
	for want, fields := range map[string]AthleteFields{
		`{"first_name":"Jo"}`:                    {FirstName: new("Jo")},
		`{"email":"","positions":[],"height":0}`: {Email: new(""), Height: new(0), Positions: &[]string{}},
		`{"custom_attributes":{"season":"2026","team":""}}`: {CustomAttributes: map[string]string{"team": "",
			"season": "2026"}},
	} {
		c, requests := answering(t, nil, d.Example("updateAthlete", 200, ""))
		if _, err := c.UpdateAthlete(t.Context(), "x", fields); err != nil {
			t.Error(err)
		}
		if r := (*requests)[0]; r.body != want || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("it sent %s instead of %s", r.body, want)
		}
	}
}

func TestNoCaptureIsNotAllCaptures(t *testing.T) {
	d := contract.Of(t)
	for want, n := range map[string]NewExport{
		`{}`:                   {Athletes: []string{}},
		`{"captures":[]}`:      {Captures: []string{}},
		`{"captures":["s_1"]}`: {Captures: []string{"s_1"}},
	} {
		c, requests := answering(t, nil, d.Example("createExport", 200, ""))
		if _, err := c.CreateExport(t.Context(), n); err != nil {
			t.Error(err)
		}
		if sent := (*requests)[0].body; sent != want {
			t.Errorf("it sent %s instead of %s", sent, want)
		}
	}
}

func TestFiltersAreSentAsTheyWereGiven(t *testing.T) {
	d := contract.Of(t)
	c, requests := answering(t, nil, d.Example("listCaptures", 200, ""))
	if _, err := c.ListCaptures(t.Context(),
		CaptureFilter{AthleteID: "a", Source: "api", Status: Completed, Activity: "Läuft & springt", Movement: "x",
			Limit: 2, Offset: 7}); err != nil {
		t.Error(err)
	}
	if got, want := (*requests)[0].uri,
		"/v1/captures?activity=L%C3%A4uft+%26+springt&athlete_id=a&limit=2&movement=x&offset=7&source=api&status=completed"; got != want {
		t.Errorf("it asked %s instead of %s", got, want)
	}

	c, requests = answering(t, nil, d.Example("listCaptures", 200, ""))
	from, to := time.Date(2026, 5, 1, 2, 0, 0, 0, time.FixedZone("", 2*60*60)),
		time.Date(2026, 6, 1, 0, 0, 0, 1000, time.UTC)
	oldest := CaptureFilter{CapturedFrom: &from, CapturedTo: &to, Oldest: true}
	if _, err := c.ListCaptures(t.Context(), oldest); err != nil {
		t.Error(err)
	}
	if got, want := (*requests)[0].uri,
		"/v1/captures?captured_from=2026-05-01T00%3A00%3A00Z&captured_to=2026-06-01T00%3A00%3A00.000001Z&order=oldest"; got != want {
		t.Errorf("it asked %s instead of %s", got, want)
	}

	c, requests = answering(t, nil, d.Example("listChanges", 200, ""))
	if _, err := c.ListChanges(t.Context(),
		ChangeFilter{After: "x-_", Kinds: []string{"capture", "export"}, Wait: 20 * time.Second, Object: true,
			Limit: 3}); err != nil {
		t.Error(err)
	}
	if got, want := (*requests)[0].uri,
		"/v1/changes?after=x-_&include=object&kind=capture%2Cexport&limit=3&wait=20"; got != want {
		t.Errorf("it asked %s instead of %s", got, want)
	}

	c, requests = answering(t, nil, d.Example("listAthletes", 200, ""))
	if _, err := c.ListAthletes(t.Context(),
		AthleteFilter{Search: "riv", SortedBy: "created_at", Attributes: map[string]string{"team": "red"}}); err !=
		nil {
		t.Error(err)
	}
	if got, want := (*requests)[0].uri, "/v1/athletes?q=riv&sorted_by=created_at&team=red"; got != want {
		t.Errorf("it asked %s instead of %s", got, want)
	}
}

func TestAnIDCannotLeaveItsPlaceInThePath(t *testing.T) {
	d := contract.Of(t)
	for id, want := range map[string]string{
		"a/b": "a%2Fb", "..": "%2E%2E", ".": "%2E", "a?b#c": "a%3Fb%23c", "ü 1": "%C3%BC%201", "a%2Fb": "a%252Fb",
	} {
		c, requests := answering(t, nil, d.Example("getCapture", 200, ""))
		if _, err := c.Capture(t.Context(), id); err != nil {
			t.Error(err)
		}
		if got := (*requests)[0].uri; got != "/v1/captures/"+want {
			t.Errorf("%q: it asked %s", id, got)
		}
	}
}

func TestConditionsAndKeysAreSentAsHeaders(t *testing.T) {
	d := contract.Of(t)
	c, requests := answering(t, nil, d.Example("updateAthlete", 200, ""))
	var meta Meta
	_, err := c.UpdateAthlete(t.Context(), "x", AthleteFields{}, IfMatch(`"1"`), IfNoneMatch(`"2"`),
		IdempotencyKey("k"), RequestID("r"), WithMeta(&meta))
	if err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"If-Match": `"1"`, "If-None-Match": `"2"`, "Idempotency-Key": "k",
		"X-Request-Id": "r"} {
		if got := (*requests)[0].header.Get(name); got != want {
			t.Errorf("%s: %q instead of %q", name, got, want)
		}
	}
	if !meta.Replayed || meta.TokenExpires == nil ||
		!meta.TokenExpires.Equal(time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("the meta data are %+v", meta)
	}
}

func TestADimensionThatIsNoStringIsPassedOver(t *testing.T) {
	var c Capture
	err := json.Unmarshal([]byte(
		`{"session_id":"a","athlete_id":null,"status":"completed","handedness":"left","later":{"x":1},"none":null}`),
		&c)
	if err != nil || !reflect.DeepEqual(c.Dimensions, map[string]string{"handedness": "left"}) {
		t.Errorf("%v, %v", c.Dimensions, err)
	}
}

func TestAnAnswerOfSomethingBetweenIsAnErrorToo(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusBadGateway: "502: Bad Gateway",
		http.StatusNotFound:   "404: Not Found: no Kinebase answers at this address; the one of a server ends in /v1",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "<html>oops</html>")
		}))
		c, err := New(server.URL+"/v1", token)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Athlete(t.Context(), "x")
		if err == nil || err.Error() != want {
			t.Errorf("it says %v", err)
		}
		server.Close()
	}
}

func TestAnErrorReadsLikeASentence(t *testing.T) {
	for want, e := range map[string]Error{
		"NotFound (404): There is no such record. (request r1)": {Status: 404, Code: "NotFound",
			Message: "There is no such record.", RequestID: "r1"},
		"BadRequest (400): a; b": {Status: 400, Code: "BadRequest",
			Message: "a (and 1 more problem)", Messages: "a; b"},
	} {
		if e.Error() != want {
			t.Errorf("%q instead of %q", e.Error(), want)
		}
	}
}

func TestABaseURLMustBeOne(t *testing.T) {
	for _, base := range []string{"", "127.0.0.1:8080/v1", "ftp://x/v1", "http:///v1", "http://x/v1?a=b",
		"http://x/v1#a", "http://x y"} {
		if _, err := New(base, token); err == nil {
			t.Errorf("%q was taken", base)
		}
	}
}
