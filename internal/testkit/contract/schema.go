package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// schemas are the compiled schemas of everything that an answer or a request
// holds.
//
// kin-openapi can validate too, but not well enough for this: without an option
// it judges by the rules of OpenAPI 3.0, which pass over const, if/then/else and
// propertyNames; with openapi3.EnableJSONSchema2020 it compiles the schema again
// for every value (about 0.6 ms for a page of captures), and where a schema does
// not compile it falls back to the old rules without a word. The library that it
// uses underneath is therefore asked directly: once, and loudly.
type schemas map[*openapi3.Schema]*jsonschema.Schema

// resource is the name under which the document's own references are resolved.
const resource = "https://kinebase.invalid/openapi.json"

func compile(doc *openapi3.T) (schemas, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(resource, whole); err != nil {
		return nil, err
	}
	all := schemas{}
	add := func(at string, ref *openapi3.SchemaRef) {
		if ref == nil || all[ref.Value] != nil || err != nil {
			return
		}
		var compiled *jsonschema.Schema
		if compiled, err = c.Compile(resource + at); err == nil {
			all[ref.Value] = compiled
		}
	}
	content := func(at string, content openapi3.Content) {
		for name, media := range content {
			add(at+"/content/"+pointer(name)+"/schema", media.Schema)
		}
	}
	response := func(at string, r *openapi3.ResponseRef) {
		if r.Ref != "" {
			at = r.Ref
		}
		content(at, r.Value.Content)
		for name, header := range r.Value.Headers {
			place := at + "/headers/" + pointer(name)
			if header.Ref != "" {
				place = header.Ref
			}
			add(place+"/schema", header.Value.Schema)
		}
	}
	for name, r := range doc.Components.Responses {
		response("#/components/responses/"+pointer(name), r)
	}
	for name, p := range doc.Components.Parameters {
		add("#/components/parameters/"+pointer(name)+"/schema", p.Value.Schema)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := "#/paths/" + pointer(path) + "/" + strings.ToLower(method)
			for status, r := range op.Responses.Map() {
				response(at+"/responses/"+status, r)
			}
			if op.RequestBody != nil {
				content(at+"/requestBody", op.RequestBody.Value.Content)
			}
		}
	}
	return all, err
}

// pointer escapes a name for a JSON pointer in a URL's fragment.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

// conforms validates a decoded JSON value. What is wrong and where is told, the
// schema and the value are not: a page may hold 500 captures.
func (s schemas) conforms(schema *openapi3.Schema, value any) error {
	compiled := s[schema]
	if compiled == nil {
		return errors.New("the schema was not compiled")
	}
	err := compiled.Validate(value)
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return err
	}
	return errors.Join(leaves(e)...)
}

// leaves are the errors that have no causes of their own.
func leaves(e *jsonschema.ValidationError) []error {
	if len(e.Causes) == 0 {
		if _, group := e.ErrorKind.(*kind.Group); group {
			return nil
		}
		return []error{fmt.Errorf("/%s: %s", strings.Join(e.InstanceLocation, "/"),
			e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))}
	}
	var all []error
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}
