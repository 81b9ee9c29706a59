package apptest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Answer is what the server answered, body and all.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte

	t    testing.TB
	what string // the request, for messages
}

// Get asks for a path below the base. "" as a token sends none. Headers are
// pairs of name and value.
func (a *App) Get(path, token string, headers ...string) *Answer {
	a.t.Helper()
	return a.Do(http.MethodGet, path, token, "", headers...)
}

// Post sends a JSON body to a path below the base.
func (a *App) Post(path, token, body string, headers ...string) *Answer {
	a.t.Helper()
	return a.Do(http.MethodPost, path, token, body, append([]string{"Content-Type", "application/json"}, headers...)...)
}

// Delete asks for a deletion of a path below the base.
func (a *App) Delete(path, token string, headers ...string) *Answer {
	a.t.Helper()
	return a.Do(http.MethodDelete, path, token, "", headers...)
}

// Do sends any request to a path below the base. The path goes out as it is
// written, escapes and all.
func (a *App) Do(method, path, token, body string, headers ...string) *Answer {
	a.t.Helper()
	if token != "" {
		headers = append([]string{"Authorization", "Bearer " + token}, headers...)
	}
	return a.send(method, a.URL+path, body, headers)
}

// Page asks for a page beside the interface: /readyz, /metrics.
func (a *App) Page(path string) *Answer {
	a.t.Helper()
	return a.send(http.MethodGet, a.Root+path, "", nil)
}

func (a *App) send(method, url, body string, headers []string) *Answer {
	a.t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(a.t.Context(), method, url, content)
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, url, err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := a.HTTP.Do(request)
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, url, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer := &Answer{t: a.t, what: method + " " + strings.TrimPrefix(url, a.Root), Status: response.StatusCode,
		Header: response.Header}
	if answer.Body, err = io.ReadAll(response.Body); err != nil {
		a.t.Fatalf("%s: the answer's body: %v", answer.what, err)
	}
	return answer
}

// Want ends the test when the status is another one.
func (a *Answer) Want(status int) *Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("%s answered %d, want %d: %s", a.what, a.Status, status, a.Body)
	}
	return a
}

// Into decodes the body.
func (a *Answer) Into(v any) *Answer {
	a.t.Helper()
	if err := json.Unmarshal(a.Body, v); err != nil {
		a.t.Fatalf("%s: the answer is not what it should be: %v: %s", a.what, err, a.Body)
	}
	return a
}

// Object decodes the body as an object.
func (a *Answer) Object() map[string]any {
	a.t.Helper()
	var o map[string]any
	a.Into(&o)
	return o
}
