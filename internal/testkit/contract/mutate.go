package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
)

// Mutant is an answer with one thing changed that the contract must refuse.
type Mutant struct {
	What   string // what was changed, and where: "drop /athlete/id"
	Header http.Header
	Body   []byte
}

// RefusesMutants takes an answer that keeps the contract and shows that it is
// held to it everywhere: each required field or header dropped, each field
// renamed or given twice, one added to each closed object, each value of another
// type, out of its range or not of its pattern, and null where it may not stand is
// refused, at every depth. It gives the number of mutants.
func (d *Document) RefusesMutants(t testing.TB, req *http.Request, resp *http.Response, body []byte) int {
	t.Helper()
	mutants, err := d.Mutants(req, resp, body)
	if err != nil {
		t.Errorf("the answer itself is refused: %v", err)
	}
	for _, m := range mutants {
		changed := &http.Response{StatusCode: resp.StatusCode, Header: m.Header}
		if d.Check(req, changed, m.Body) == nil {
			t.Errorf("%s %s, %d: taken although changed (%s): %s", req.Method, req.URL.Path, resp.StatusCode, m.What,
				m.Body)
		}
	}
	return len(mutants)
}

// Mutants makes the mutants of an answer; it fails when the answer itself does
// not keep the contract.
func (d *Document) Mutants(req *http.Request, resp *http.Response, body []byte) ([]Mutant, error) {
	if err := d.Check(req, resp, body); err != nil {
		return nil, err
	}
	_, response, err := d.expected(req, resp.StatusCode)
	if err != nil {
		return nil, err
	}
	all := headerMutants(response, resp.Header, body)
	if len(response.Content) == 0 {
		return append(all, Mutant{"a body where none may be", resp.Header, []byte("{}")}), nil
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusPartialContent {
		return all, nil // a part of a file may be any bytes
	}
	media := response.Content[kind]
	if kind != jsonType {
		return append(all, otherMutants(kind, resp.Header, body)...), nil
	}
	m := &mutator{header: resp.Header}
	if err := json.Unmarshal(body, &m.root); err != nil {
		return nil, err
	}
	m.value(media.Schema.Value, "", m.root, func(v any) { m.root = v })
	m.text(body)
	return append(all, m.mutants...), nil
}

// otherMutants are bodies that are not what their type says.
func otherMutants(kind string, header http.Header, body []byte) []Mutant {
	switch kind {
	case "text/csv":
		return []Mutant{
			{"a field too many", header, append(bytes.Clone(body), strings.Repeat(",;", 1000)...)},
			{"bytes that are not UTF-8", header, append(bytes.Clone(body), 0xff)},
		}
	case "application/vnd.kinebase.frames":
		return []Mutant{{"cut short", header, body[:len(body)-1]},
			{"another beginning", header, append([]byte("X"), body[1:]...)}, {"nothing", header, nil}}
	case "application/vnd.apache.parquet":
		return []Mutant{{"cut short", header, body[:len(body)-1]}, {"nothing", header, nil}}
	}
	return nil
}

func headerMutants(response *openapi3.Response, header http.Header, body []byte) []Mutant {
	var all []Mutant
	change := func(what string, f func(http.Header)) {
		h := header.Clone()
		f(h)
		all = append(all, Mutant{what, h, body})
	}
	for name, ref := range response.Headers {
		if ref.Value.Required {
			change("drop header "+name, func(h http.Header) { h.Del(name) })
		}
		change("spoil header "+name, func(h http.Header) { h.Set(name, "\x01") })
	}
	change("add a header", func(h http.Header) { h.Set("X-Unheard-Of", "1") })
	if len(response.Content) > 0 {
		change("no content type", func(h http.Header) { h.Del("Content-Type") })
		change("another content type", func(h http.Header) { h.Set("Content-Type", "text/plain; charset=utf-8") })
		change("a page", func(h http.Header) { h.Set("Content-Type", "text/html") })
		change("another charset", func(h http.Header) { h.Set("Content-Type", "application/json; charset=latin1") })
	}
	return all
}

// mutator walks a value beside its schema, changes one thing, keeps the mutant
// and changes it back.
type mutator struct {
	header  http.Header
	root    any
	mutants []Mutant
}

// emit keeps the document as it is now.
func (m *mutator) emit(what, at string) {
	body, err := json.Marshal(m.root)
	if err != nil {
		panic(err)
	}
	m.mutants = append(m.mutants, Mutant{what + " " + at, m.header, body})
}

// value makes the mutants of one value, which set puts into its place.
func (m *mutator) value(schema *openapi3.Schema, at string, v any, set func(any)) {
	for _, other := range strangers(schema, v) {
		set(other.value)
		m.emit(other.what, at)
	}
	set(v)
	switch v := v.(type) {
	case map[string]any:
		m.object(chosen(schema, v), at, v)
	case []any:
		for i, item := range v {
			m.value(schema.Items.Value, fmt.Sprintf("%s/%d", at, i), item, func(x any) { v[i] = x })
		}
	}
}

// chosen is the alternative of a schema that an object is of: the first one whose required fields it has.
func chosen(s *openapi3.Schema, object map[string]any) *openapi3.Schema {
	if s.Properties != nil {
		return s
	}
	for _, one := range s.OneOf {
		if !slices.ContainsFunc(one.Value.Required, func(name string) bool { _, ok := object[name]; return !ok }) {
			return one.Value
		}
	}
	return s
}

type stranger struct {
	what  string
	value any
}

// strangers are values that the schema does not allow in the place of v.
func strangers(s *openapi3.Schema, v any) []stranger {
	var all []stranger
	number := s.Type.Permits("number")
	for _, kind := range []struct {
		allowed bool
		what    string
		value   any
	}{
		{s.Type.Permits("null"), "null at", nil},
		{s.Type.Permits("boolean"), "true at", true},
		{number || s.Type.Permits("integer"), "an integer at", 7},
		{number, "a fraction at", 7.5},
		{s.Type.Permits("string"), "a string at", "text"},
		{s.Type.Permits("array"), "an array at", []any{}},
		{s.Type.Permits("object"), "an object at", map[string]any{}},
	} {
		if !kind.allowed {
			all = append(all, stranger{kind.what, kind.value})
		}
	}
	if len(s.Enum) > 0 {
		all = append(all, stranger{"an unknown word at", "unheard_of"})
	}
	if s.Pattern != "" {
		all = append(all, stranger{"a spoilt form at", fmt.Sprint(v) + "\x01"})
	}
	if s.MinLength > 0 {
		all = append(all, stranger{"an empty string at", ""})
	}
	if s.MaxLength != nil {
		all = append(all, stranger{"too long a string at", strings.Repeat("x", int(*s.MaxLength)+1)})
	}
	if s.Min != nil {
		all = append(all, stranger{"too small a number at", *s.Min - 1})
	}
	if s.Max != nil {
		all = append(all, stranger{"too large a number at", *s.Max + 2}) // + 1 is not seen beyond 2^53
	}
	return all
}

func (m *mutator) object(schema *openapi3.Schema, at string, object map[string]any) {
	closed := schema.AdditionalProperties.Has != nil && !*schema.AdditionalProperties.Has
	for _, name := range slices.Sorted(maps.Keys(object)) {
		v, place := object[name], at+"/"+name
		child := schema.AdditionalProperties.Schema // of a map; the fields of a closed object have their own
		if ref, ok := schema.Properties[name]; ok {
			child = ref
		}
		m.value(child.Value, place, v, func(x any) { object[name] = x })

		delete(object, name)
		if slices.Contains(schema.Required, name) {
			m.emit("drop", place)
		}
		for _, other := range renamings(name) {
			if _, known := schema.Properties[other]; !closed || known {
				continue // in a map any good key will do; bad ones are tried below
			}
			object[other] = v
			m.emit("rename to "+other, place)
			delete(object, other)
		}
		object[name] = v
	}
	add := func(name string, v any) {
		object[name] = v
		m.emit("add "+name, at)
		delete(object, name)
	}
	switch {
	case closed:
		add("unheard_of", "x")
		add("Unheard", nil)
	case schema.PropertyNames != nil:
		for _, name := range []string{"", "1st", "two words", "ünheard", "email", "DOB"} {
			add(name, "x")
		}
	}
}

// renamings are the ways in which a field's name goes wrong: other casing, the
// other convention, something more.
func renamings(name string) []string {
	var camel, snake []rune
	for _, r := range name {
		switch {
		case len(camel) > 0 && camel[len(camel)-1] == '_':
			camel[len(camel)-1] = unicode.ToUpper(r)
		default:
			camel = append(camel, r)
		}
		if unicode.IsUpper(r) {
			snake = append(snake, '_')
		}
		snake = append(snake, unicode.ToLower(r))
	}
	all := []string{strings.ToUpper(name), string(camel), string(snake), name + "_", " " + name}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == name })
}

// text makes the mutants that are no values any more: a name given twice, bytes
// that are not UTF-8, something after the end, an end too early, nothing at all.
func (m *mutator) text(body []byte) {
	keep := func(what string, b []byte) { m.mutants = append(m.mutants, Mutant{what, m.header, b}) }
	if object, ok := m.root.(map[string]any); ok {
		for name, v := range object {
			again, err := json.Marshal(map[string]any{name: v})
			if err != nil {
				panic(err)
			}
			twice := append(bytes.TrimSuffix(again, []byte("}")), ',')
			keep("twice /"+name, append(twice, bytes.TrimLeft(bytes.TrimSpace(body), "{")...))
		}
	}
	keep("a second value after the end", append(bytes.Clone(body), "{}"...))
	keep("bytes that are not UTF-8", bytes.Replace(body, []byte(`"`), []byte("\"\xff"), 1))
	keep("cut short", bytes.TrimSpace(body)[:len(bytes.TrimSpace(body))-1])
	keep("nothing", nil)
}
