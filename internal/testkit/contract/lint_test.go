package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func TestEveryOperationIsCompletelyDescribed(t *testing.T) {
	d := Of(t)
	tags := map[string]bool{}
	for _, tag := range d.doc.Tags {
		tags[tag.Name] = tag.Description != ""
	}
	ids := map[string]bool{}
	for _, op := range d.Operations() {
		fail := func(format string, args ...any) { t.Errorf(op.Method+" "+op.Path+": "+format, args...) }
		if op.ID == "" || ids[op.ID] {
			fail("the operationId %q is empty or taken", op.ID)
		}
		ids[op.ID] = true
		if op.spec.Summary == "" || op.spec.Description == "" {
			fail("a summary and a description are needed")
		}
		if len(op.spec.Tags) != 1 || !tags[op.spec.Tags[0]] {
			fail("one tag that is described is needed, not %v", op.spec.Tags)
		}
		if op.Public {
			if len(op.Scopes) > 0 || op.spec.Security == nil {
				fail("a public operation says so and needs no scope, not %v", op.Scopes)
			}
		} else if set, err := organization.ParsePermissions(op.Scopes); err != nil ||
			!slices.Equal(set.Strings(), op.Scopes) {
			fail("scopes are needed, each once and in their order, not %v", op.Scopes)
		}
		for _, p := range op.spec.Parameters {
			if p.Value.Description == "" || p.Value.Example == nil {
				fail("the parameter %s needs a description and an example", p.Value.Name)
			}
		}
		if body := op.spec.RequestBody; body != nil {
			for name, media := range body.Value.Content {
				if len(media.Examples) == 0 && !onlyBytes(name) || body.Value.Description == "" {
					fail("the body (%s) needs a description and examples", name)
				}
			}
		}
		for status, response := range op.spec.Responses.Map() {
			if response.Value.Description == nil || *response.Value.Description == "" {
				fail("the answer %s needs a description", status)
			}
			for kind, media := range response.Value.Content {
				if len(media.Examples) == 0 && !onlyBytes(kind) {
					fail("the answer %s needs examples", status)
				}
			}
		}
	}
}

// onlyBytes says of a media type that no document can hold an example of it.
func onlyBytes(kind string) bool {
	return slices.Contains([]string{"application/octet-stream", "application/offset+octet-stream",
		"application/vnd.apache.parquet", "application/vnd.kinebase.frames", "video/mp4", "video/quicktime"}, kind)
}

// Which errors an operation can answer follows from what it takes.
func TestEveryOperationNamesEveryAnswerThatItCanGive(t *testing.T) {
	d := Of(t)
	for _, op := range d.Operations() {
		takes := func(name string) bool {
			return slices.ContainsFunc(op.spec.Parameters,
				func(p *openapi3.ParameterRef) bool { return p.Value.Name == name })
		}
		want := []string{"200", "400", "401", "403", "429", "500", "503"}
		if op.Public && op.Method == "GET" { // a link that proves itself, and may show nothing
			want = []string{"200", "400", "404", "429", "500", "503"}
		} else if op.Public { // a form that proves itself
			want = []string{"204", "400", "403", "404", "409", "429", "500", "503"}
		}
		if strings.HasPrefix(op.Path, "/uploads/{") { // the protocol tus has answers of its own
			want = []string{"400", "403", "404", "410", "412", "429", "500", "503"}
			switch op.Method {
			case "GET":
				want = append(want, "200")
			case "PATCH":
				want = append(want, "204", "409", "460")
			default:
				want = append(want, "204", "409")
			}
		}
		if op.ID == "putFile" { // the file may be refused for itself
			want[0] = "204"
			want = append(want, "409", "413", "415")
		}
		if !op.Public && strings.Contains(op.Path, "{") || takes("Idempotency-Key") {
			want = append(want, "404")
		}
		if takes("If-None-Match") {
			want = append(want, "304")
		}
		if takes("If-Match") {
			want = append(want, "412")
		}
		if takes("Idempotency-Key") {
			want = append(want, "409", "422")
		}
		if takes("after") { // a cursor grows old
			want = append(want, "410")
		}
		if takes("Range") {
			want = append(want, "206", "416")
		}
		if slices.Contains([]string{"getMotion", "getFrames", "getSharedMotion", "getSharedFrames", "getFile",
			"getExportResults", "deleteExport"}, op.ID) {
			// the file may not have been read, or built
			want = append(want, "409")
		}
		if op.Method == "POST" || op.Method == "PATCH" || op.ID == "putLandmarks" || op.ID == "putSkeletons" {
			want = append(want, "413", "415")
		}
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(op.spec.Responses.Map())); !slices.Equal(got, want) {
			t.Errorf("%s has the answers %v and should have %v", op.ID, got, want)
		}
		if !takes("X-Request-Id") {
			t.Errorf("%s does not take X-Request-Id", op.ID)
		}
	}
}

func TestEveryAnswerStatesItsHeaders(t *testing.T) {
	d := Of(t)
	for _, op := range d.Operations() {
		for status, response := range op.spec.Responses.Map() {
			want := []string{"Cache-Control", "X-Content-Type-Options", "X-Request-Id"}
			switch {
			case op.Public: // nobody's quota, and no token to speak of
			case status == "401":
				want = append(want, "WWW-Authenticate")
			case status == "403":
				want = append(want, "WWW-Authenticate")
				fallthrough
			default:
				want = append(want, "RateLimit", "RateLimit-Policy", "Kinebase-Token-Expires")
			}
			if status == "429" || status == "503" {
				want = append(want, "Retry-After")
			}
			if status < "400" && !op.Public {
				want = append(want, "Kinebase-Ignored-Parameters")
			}
			for _, name := range want {
				if response.Value.Headers[name] == nil {
					t.Errorf("%s, %s: header %s is not stated", op.ID, status, name)
				}
			}
			for name, header := range response.Value.Headers {
				if header.Value.Description == "" {
					t.Errorf("%s, %s: header %s is not described", op.ID, status, name)
				}
				if err := d.schemas.conforms(header.Value.Schema.Value, header.Value.Example); err != nil {
					t.Errorf("%s, %s: the example of header %s: %v", op.ID, status, name, err)
				}
			}
		}
	}
}

func TestEveryExampleOfARequestMatchesItsSchema(t *testing.T) {
	d := Of(t)
	for _, op := range d.Operations() {
		for _, p := range op.spec.Parameters {
			schema := p.Value.Schema
			if compiled := d.schemas[schema.Value]; compiled == nil {
				t.Errorf("%s: the parameter %s has no compiled schema", op.ID, p.Value.Name)
			} else if err := d.schemas.conforms(schema.Value, p.Value.Example); err != nil {
				t.Errorf("%s: the example of the parameter %s: %v", op.ID, p.Value.Name, err)
			}
		}
		if op.spec.RequestBody == nil {
			continue
		}
		for _, media := range op.spec.RequestBody.Value.Content {
			for name, example := range media.Examples {
				if err := d.schemas.conforms(media.Schema.Value, example.Value.Value); err != nil {
					t.Errorf("%s: the example %s: %v", op.ID, name, err)
				}
			}
		}
	}
}

// TestEverySchemaIsClosedAndDescribed walks the components: what is an object
// says what else it may hold, what is a list says of what, and everything has a
// sentence.
func TestEverySchemaIsClosedAndDescribed(t *testing.T) {
	d := Of(t)
	for name, ref := range d.doc.Components.Schemas {
		if ref.Value.Description == "" {
			t.Errorf("%s is not described", name)
		}
		checkSchema(t, name, ref.Value)
	}
}

func checkSchema(t *testing.T, at string, s *openapi3.Schema) {
	if s.Type == nil {
		t.Errorf("%s has no type", at)
		return
	}
	if s.Type.Permits("object") {
		if s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
			t.Errorf("%s does not say what else it may hold", at)
		}
		for _, name := range s.Required {
			if s.Properties[name] == nil {
				t.Errorf("%s requires %s, which it does not have", at, name)
			}
		}
	}
	if s.Type.Permits("array") && s.Items == nil {
		t.Errorf("%s does not say of what it is a list", at)
	}
	if s.Nullable {
		t.Errorf("%s: nullable is a word of OpenAPI 3.0; null belongs in the type", at)
	}
	if len(s.Enum) > 0 && s.Type.Permits("null") != slices.Contains(s.Enum, any(nil)) {
		t.Errorf("%s: null must be in the type and in the enum, or in neither", at)
	}
	for name, p := range s.Properties {
		if p.Value.Description == "" {
			t.Errorf("%s.%s is not described", at, name)
		}
		checkSchema(t, at+"."+name, p.Value)
	}
}

func TestReadingAndWritingShapesOfAThingAgree(t *testing.T) {
	schemas := Of(t).doc.Components.Schemas
	for small, large := range map[string]string{"AthleteBrief": "Athlete", "Token": "TokenIssued"} {
		for name, p := range schemas[small].Value.Properties {
			a, b := plain(t, p), plain(t, schemas[large].Value.Properties[name])
			if a != b {
				t.Errorf("%s of %s and of %s differ:\n%s\n%s", name, small, large, a, b)
			}
		}
	}
	for name := range schemas["AthleteUpdate"].Value.Properties {
		if schemas["AthleteCreate"].Value.Properties[name] == nil || schemas["Athlete"].Value.Properties[name] == nil {
			t.Errorf("%s can be updated, but not created or read", name)
		}
	}
}

func plain(t *testing.T, s *openapi3.SchemaRef) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheDocumentKnowsTheSameWordsAsTheCode(t *testing.T) {
	schemas := Of(t).doc.Components.Schemas
	words := func(schema, property string) []string {
		s := schemas[schema].Value
		if property != "" {
			s = s.Properties[property].Value
		}
		var all []string
		for _, word := range s.Enum {
			all = append(all, fmt.Sprint(word))
		}
		slices.Sort(all)
		return all
	}
	same := func(what string, document, code []string) {
		slices.Sort(code)
		if !slices.Equal(document, code) {
			t.Errorf("%s: the document has %v, the code %v", what, document, code)
		}
	}

	var included []string
	fixed := schemas["Capture"].Value.Required
	for word, field := range capture.IncludeFields() {
		included = append(included, word)
		fixed = append(slices.Clip(fixed), field)
	}
	include := Of(t).doc.Components.Parameters["CaptureInclude"].Value.Schema.Value.Items.Value
	var can []string
	for _, word := range include.Enum {
		can = append(can, fmt.Sprint(word))
		if _, err := capture.ParseInclude(fmt.Sprint(word)); err != nil {
			t.Errorf("include=%v: %v", word, err)
		}
	}
	slices.Sort(can)
	same("what can be included", can, included)
	var dimensions []string
	for name := range schemas["Capture"].Value.Properties {
		if !slices.Contains(fixed, name) {
			dimensions = append(dimensions, name)
		}
	}
	slices.Sort(dimensions)
	same("dimensions", dimensions, capture.DimensionNames())
	same("scopes", words("Scope", ""), organization.AllPermissions.Strings())
	var states []string
	for _, s := range export.Statuses {
		states = append(states, string(s))
	}
	same("export states", words("ExportJob", "status"), states)
	var codes []string
	for _, c := range []fault.Code{
		fault.BadRequest, fault.Unauthorized, fault.Forbidden, fault.NotFound, fault.TooManyRequests, fault.Internal,
		fault.MethodNotAllowed, fault.Conflict, fault.Gone, fault.PreconditionFailed, fault.PayloadTooLarge,
		fault.UnsupportedMediaType, fault.Unprocessable, fault.Unavailable,
	} {
		codes = append(codes, string(c))
	}
	// Gone came after the first version: clients of that one know the words of Error, and no more.
	known := append(words("Error", "error"), words("ErrorGone", "error")...)
	slices.Sort(known)
	same("error codes", known, codes)
}
