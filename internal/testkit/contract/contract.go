// Package contract holds answers to openapi.yaml: it judges each of an operation, and says what is
// wrong with it. Mutants of the examples show that it would notice. Only tests import it.
package contract

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kinebase/kinebase"
)

// Document is the interface document, ready to judge answers.
type Document struct {
	doc        *openapi3.T
	base       string // the path that every operation's path begins with: /v1
	operations []Operation
	schemas    schemas
	t          testing.TB // where Wrap and Handler report; nil for a document that was only loaded
}

// Operation is one operation of the document.
type Operation struct {
	Method string   // GET, POST, PATCH or DELETE
	Path   string   // below the base, with the parameters' names: /captures/{captureId}
	ID     string   // the operationId: getCapture
	Scopes []string // the scopes that the token needs, all of them
	Public bool     // it asks for no token
	Query  []string // the names of its query parameters

	spec *openapi3.Operation
}

var committed = sync.OnceValues(func() (*Document, error) { return Load(kinebase.OpenAPI) })

// Of gives the committed interface document (openapi.yaml); what its
// wrappers find is an error of the test t.
func Of(t testing.TB) *Document {
	t.Helper()
	d, err := committed()
	if err != nil {
		t.Fatalf("openapi.yaml: %v", err)
	}
	mine := *d
	mine.t = t
	return &mine
}

// Load reads an OpenAPI 3.1 document and checks it, its examples too.
func Load(document []byte) (*Document, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	if !doc.IsOpenAPI31OrLater() || len(doc.Servers) != 1 {
		return nil, errors.New("the document must be of OpenAPI 3.1 and name one server")
	}
	d := &Document{doc: doc, base: strings.TrimSuffix(doc.Servers[0].URL, "/")}
	if d.schemas, err = compile(doc); err != nil {
		return nil, err
	}
	for path, item := range doc.Paths.Map() {
		for method, spec := range item.Operations() {
			op := Operation{Method: method, Path: path, ID: spec.OperationID, spec: spec}
			if spec.Security != nil {
				op.Public = len(*spec.Security) == 0
				for _, requirement := range *spec.Security {
					op.Scopes = append(op.Scopes, requirement["bearer"]...)
				}
			}
			for _, p := range spec.Parameters {
				if p.Value.In == openapi3.ParameterInQuery {
					op.Query = append(op.Query, p.Value.Name)
				}
			}
			d.operations = append(d.operations, op)
		}
	}
	slices.SortFunc(d.operations, func(a, b Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return d, nil
}

// Base is the path below which the interface lives: /v1.
func (d *Document) Base() string { return d.base }

// Operations lists every operation, by path, then method. A route table is held
// to be the same set.
func (d *Document) Operations() []Operation { return slices.Clone(d.operations) }

// Check holds an answer against the operation that the request asked for: its
// status, its headers and its body, which is given separately and whole. All that
// is wrong is reported at once. A path that the document does not have must be
// answered with 404, a method that the path does not have with 405 and the right
// Allow.
func (d *Document) Check(req *http.Request, resp *http.Response, body []byte) error {
	if resp.StatusCode == http.StatusNoContent && preflight(req) {
		return checkPreflight(resp, body)
	}
	subject, response, err := d.expected(req, resp.StatusCode)
	if err == nil {
		err = errors.Join(
			d.checkHeaders(response, resp.Header),
			d.checkAllow(req, resp),
			d.checkBody(response, req.Method, resp.StatusCode, resp.Header.Get("Content-Type"), body),
		)
	}
	if err != nil {
		return fmt.Errorf("%s, %d: %w", subject, resp.StatusCode, err)
	}
	return nil
}

// expected finds what the document says about this status for this request.
func (d *Document) expected(req *http.Request, status int) (string, *openapi3.Response, error) {
	subject := req.Method + " " + req.URL.EscapedPath()
	path, ok := strings.CutPrefix(req.URL.EscapedPath(), d.base)
	if !ok || path != "" && path[0] != '/' {
		return subject, nil, fmt.Errorf("the path is not below %s", d.base)
	}
	ops := d.at(path)
	if len(ops) == 0 {
		return subject, d.doc.Components.Responses["NotFound"].Value,
			mustBe(status, http.StatusNotFound, "no operation has this path")
	}
	method := req.Method
	if said := req.Header.Get("X-HTTP-Method-Override"); said != "" && method == http.MethodPost &&
		strings.HasPrefix(path, "/uploads/") {
		method = said // by tus, for senders that have no other methods
	}
	op, ok := pick(ops, method)
	if !ok {
		return subject, d.doc.Components.Responses["MethodNotAllowed"].Value,
			mustBe(status, http.StatusMethodNotAllowed, "the path does not have this method")
	}
	subject += " (" + op.ID + ")"
	response := op.spec.Responses.Value(strconv.Itoa(status))
	if response == nil {
		known := slices.Sorted(maps.Keys(op.spec.Responses.Map()))
		return subject, nil, fmt.Errorf("the operation does not have this status; it has %s", strings.Join(known, " "))
	}
	return subject, response.Value, nil
}

// preflight says whether a browser asks, before the request proper, if a page of
// another origin may make it. No operation of the document answers that.
func preflight(req *http.Request) bool {
	return req.Method == http.MethodOptions && req.Header.Get("Access-Control-Request-Method") != ""
}

func checkPreflight(resp *http.Response, body []byte) error {
	if resp.Header.Get("Access-Control-Allow-Origin") == "" || len(body) > 0 {
		return errors.New("a preflight that is answered with 204 must name the origin and have no body")
	}
	return nil
}

func mustBe(status, want int, why string) error {
	if status != want {
		return fmt.Errorf("%s, so the status must be %d", why, want)
	}
	return nil
}

// at gives the operations of a path as it was sent: escaped, below the base. It is
// split before it is decoded, so that %2F stays part of an id.
func (d *Document) at(path string) []Operation {
	var found []Operation
	for _, op := range d.operations {
		if matches(op.Path, path) {
			found = append(found, op)
		}
	}
	return found
}

func matches(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool {
		if strings.HasPrefix(w, "{") {
			return g != "" && g != "." && g != ".."
		}
		decoded, err := url.PathUnescape(g)
		return err == nil && w == decoded
	})
}

// pick finds the operation of a method; HEAD is answered as GET.
func pick(ops []Operation, method string) (Operation, bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	i := slices.IndexFunc(ops, func(op Operation) bool { return op.Method == method })
	if i < 0 {
		return Operation{}, false
	}
	return ops[i], true
}

// ordinary are the headers that any answer may carry without the
// document saying so: those of HTTP itself, and those that a server with origins
// configured adds for browsers.
var ordinary = map[string]bool{
	"Access-Control-Allow-Origin": true, "Access-Control-Expose-Headers": true,
	"Connection": true, "Content-Length": true, "Content-Type": true, "Date": true,
	"Deprecation": true, "Sunset": true, "Transfer-Encoding": true, "Vary": true,
}

func (d *Document) checkHeaders(response *openapi3.Response, header http.Header) error {
	var errs []error
	stated := map[string]bool{}
	for name, ref := range response.Headers {
		name = http.CanonicalHeaderKey(name)
		stated[name] = true
		values := header[name]
		switch {
		case len(values) == 0 && ref.Value.Required:
			errs = append(errs, fmt.Errorf("header %s is missing", name))
		case len(values) > 0:
			if err := d.schemas.conforms(ref.Value.Schema.Value, strings.Join(values, ", ")); err != nil {
				errs = append(errs, fmt.Errorf("header %s: %w", name, err))
			}
		}
	}
	for name := range header {
		if !stated[name] && !ordinary[name] {
			errs = append(errs, fmt.Errorf("header %s is not stated for this answer", name))
		}
	}
	return errors.Join(errs...)
}

// checkAllow compares the header Allow with the methods that the path has: a
// pattern cannot know them.
func (d *Document) checkAllow(req *http.Request, resp *http.Response) error {
	if resp.StatusCode != http.StatusMethodNotAllowed {
		return nil
	}
	var want []string
	for _, op := range d.at(strings.TrimPrefix(req.URL.EscapedPath(), d.base)) {
		want = append(want, op.Method)
		if op.Method == http.MethodGet {
			want = append(want, http.MethodHead)
		}
	}
	got := strings.Split(resp.Header.Get("Allow"), ", ")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		return fmt.Errorf("header Allow has %v and must have %v", got, want)
	}
	return nil
}

const jsonType = "application/json"

// checkOther looks at a body that is not JSON, as far as its type says what it is.
func checkOther(name string, body []byte) error {
	switch name {
	case "text/csv":
		if !utf8.Valid(body) {
			return errors.New("the body is not UTF-8")
		}
		// The reader wants as many fields in every line as there are in the first.
		lines := csv.NewReader(bytes.NewReader(body))
		if i := bytes.IndexAny(body, ",;"); i >= 0 {
			lines.Comma = rune(body[i]) // behind the name of the first column, which has neither
		}
		if _, err := lines.ReadAll(); err != nil {
			return fmt.Errorf("the body is not CSV: %w", err)
		}
	case "application/x-ndjson":
		for line := range bytes.Lines(body) {
			if row := jsontext.Value(line); row.Kind() != '{' || !row.IsValid() || line[len(line)-1] != '\n' {
				return fmt.Errorf("a line is no object of JSON: %.200q", line)
			}
		}
	case "application/vnd.apache.parquet":
		if mark := []byte("PAR1"); len(body) < 12 || !bytes.HasPrefix(body, mark) || !bytes.HasSuffix(body, mark) {
			return errors.New("the body is not Parquet")
		}
	case "application/vnd.kinebase.frames":
		return checkBinary(body)
	}
	return nil
}

// checkBinary looks at rows of a recording as bytes: a head that is JSON, and as
// many numbers behind it as it says.
func checkBinary(body []byte) error {
	if len(body) < 8 || string(body[:4]) != "KBF1" {
		return errors.New("the body does not begin with KBF1")
	}
	n := int64(binary.LittleEndian.Uint32(body[4:]))
	if n%8 != 0 || n > int64(len(body)-8) {
		return fmt.Errorf("the head is said to have %d bytes", n)
	}
	var head struct {
		Frames  int64    `json:"frames"`
		Columns []string `json:"columns"`
	}
	if err := json.Unmarshal(body[8:8+n], &head); err != nil {
		return fmt.Errorf("the head is not JSON: %w", err)
	}
	if want := 8 + n + head.Frames*(8+4+4*int64(len(head.Columns))); int64(len(body)) != want {
		return fmt.Errorf("the body has %d bytes, and its head speaks of %d", len(body), want)
	}
	return nil
}

func (d *Document) checkBody(response *openapi3.Response, method string, status int, contentType string,
	body []byte) error {
	if len(response.Content) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("there must be no body, but %d bytes came", len(body))
		}
		return nil
	}
	name, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("Content-Type %q: %w", contentType, err)
	}
	media, ok := response.Content[name]
	if charset, given := params["charset"]; !ok || given && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("Content-Type %q is not one of %v", contentType, slices.Sorted(maps.Keys(response.Content)))
	}
	if method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("an answer to HEAD must have no body, but %d bytes came", len(body))
		}
		return nil
	}
	if status == http.StatusPartialContent {
		return nil // a part of a file is bytes
	}
	if name != jsonType {
		return checkOther(name, body)
	}
	// This decoder refuses what the usual one takes: a name given twice, bytes that
	// are not UTF-8, anything after the value.
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	return d.schemas.conforms(media.Schema.Value, value)
}
