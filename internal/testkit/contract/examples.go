package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Exchange is an example of the document: a request and its answer.
type Exchange struct {
	Operation Operation
	Name      string // the example's name, or the type of a body that has none; "" for an answer without a body
	Request   *http.Request
	Response  *http.Response // its Body is nil; Body has it
	Body      []byte
}

// String names the exchange for a test's report.
func (e Exchange) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %d %s", e.Operation.ID, e.Response.StatusCode, e.Name), " ")
}

// WriteTo answers with the example.
func (e Exchange) WriteTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), e.Response.Header)
	w.WriteHeader(e.Response.StatusCode)
	_, _ = io.Copy(w, bytes.NewReader(e.Body))
}

// Examples lists an exchange for every example of every answer of every
// operation, with every header that the answer may have, in a fixed order.
func (d *Document) Examples() []Exchange {
	var all []Exchange
	for _, op := range d.operations {
		responses := op.spec.Responses.Map()
		for _, status := range slices.Sorted(maps.Keys(responses)) {
			all = append(all, d.examplesOf(op, status, responses[status].Value)...)
		}
	}
	return all
}

// Example finds one exchange by operation, status and example name; the first
// one of the status when the name is "". It is nil when there is none.
func (d *Document) Example(operationID string, status int, name string) *Exchange {
	for _, e := range d.Examples() {
		if e.Operation.ID == operationID && e.Response.StatusCode == status && (name == "" || name == e.Name) {
			return &e
		}
	}
	return nil
}

func (d *Document) examplesOf(op Operation, status string, response *openapi3.Response) []Exchange {
	code, _ := strconv.Atoi(status)
	exchange := func(name, media string, body []byte) Exchange {
		resp := &http.Response{StatusCode: code, Header: http.Header{}}
		for header, ref := range response.Headers {
			resp.Header.Set(header, fmt.Sprint(ref.Value.Example))
		}
		if media != "" {
			resp.Header.Set("Content-Type", media)
		}
		return Exchange{Operation: op, Name: name, Request: d.exampleRequest(op), Response: resp, Body: body}
	}
	if len(response.Content) == 0 {
		return []Exchange{exchange("", "", nil)}
	}
	var all []Exchange
	for _, kind := range slices.Sorted(maps.Keys(response.Content)) {
		media := response.Content[kind]
		if len(media.Examples) == 0 { // bytes that no document can hold
			body := "PAR1\x00\xff\r\nPAR1"
			if kind == "application/vnd.kinebase.frames" {
				body = "KBF1\x20\x00\x00\x00" + `{"frames":1,"columns":["a"]}    ` + strings.Repeat("\xff", 8+4+4)
			}
			all = append(all, exchange(kind, kind, []byte(body)))
		}
		for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
			value := media.Examples[name].Value.Value
			if text, ok := value.(string); ok && kind != jsonType {
				all = append(all, exchange(name, kind, []byte(text)))
				continue
			}
			body, err := json.Marshal(value)
			if err != nil { // it was JSON when it was loaded
				panic(err)
			}
			all = append(all, exchange(name, kind, body))
		}
	}
	return all
}

// exampleRequest asks for the operation with the examples of its path parameters.
func (d *Document) exampleRequest(op Operation) *http.Request {
	path := op.Path
	for _, p := range op.spec.Parameters {
		if p.Value.In == openapi3.ParameterInPath {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(fmt.Sprint(p.Value.Example)))
		}
	}
	req, err := http.NewRequest(op.Method, "http://example.test"+d.base+path, nil)
	if err != nil { // the document was valid
		panic(err)
	}
	return req
}
