package reference

import (
	"fmt"
	"html/template"
	"strings"
)

// schemaView is a schema with a name of its own.
type schemaView struct {
	Name   string
	Text   template.HTML
	Type   template.HTML // of a schema that is no object
	Rules  []template.HTML
	Fields []fieldView
}

// fieldView is a field, parameter or header: what it is called, what it holds.
type fieldView struct {
	Name     string
	Place    string // path, query or header, of a parameter
	Required bool
	Type     template.HTML
	Rules    []template.HTML
	Text     template.HTML
	Example  string
}

func (d document) schema(name string, s node) schemaView {
	v := schemaView{Name: name, Text: prose(s.get("description").text())}
	required := map[string]bool{}
	for _, r := range s.get("required").texts() {
		required[r] = true
	}
	for _, f := range s.get("properties").fields() {
		v.Fields = append(v.Fields, d.field(f.name, f.value, required[f.name]))
	}
	if v.Fields == nil {
		v.Type, v.Rules = d.typeOf(s), rules(s)
	}
	return v
}

func (d document) field(name string, s node, required bool) fieldView {
	resolved, _ := d.resolve(s)
	return fieldView{
		Name: name, Required: required,
		Type: d.typeOf(s), Rules: rules(resolved),
		Text: prose(resolved.get("description").text()),
	}
}

// scalars are named schemas that say no more than their type and a rule; a
// reader wants to see these in place and not behind a link.
var scalars = map[string]bool{"Uuid": true, "Time": true, "NullableTime": true, "TotalCount": true, "UsedOffset": true,
	"UsedLimit": true}

// typeOf says in words what a schema holds.
func (d document) typeOf(s node) template.HTML {
	resolved, name := d.resolve(s)
	if name != "" && !scalars[name] {
		return link(name)
	}
	switch name {
	case "Uuid":
		return "UUID"
	case "Time":
		return "time"
	case "NullableTime":
		return "time or null"
	}
	var words []string
	for _, t := range resolved.get("type").texts() {
		switch {
		case t == "array":
			words = append(words, "list of "+string(d.typeOf(resolved.get("items"))))
		case t == "object" && len(resolved.get("additionalProperties").fields()) > 0:
			words = append(words, "object of "+string(d.typeOf(resolved.get("additionalProperties"))))
		default:
			words = append(words, template.HTMLEscapeString(t))
		}
	}
	for _, alternative := range resolved.get("anyOf").items() {
		words = append(words, string(d.typeOf(alternative)))
	}
	if c := resolved.get("const"); c.exists() {
		words = []string{string(code(c.Value))}
	}
	return template.HTML(strings.Join(words, " or ")) // built of escaped words
}

func link(name string) template.HTML {
	name = template.HTMLEscapeString(name)
	return template.HTML(`<a href="#schema-` + name + `">` + name + `</a>`) // escaped
}

func code(s string) template.HTML {
	return template.HTML("<code>" + template.HTMLEscapeString(s) + "</code>") // escaped
}

// rules says in words what a schema demands beyond its type.
func rules(s node) []template.HTML {
	var all []template.HTML
	add := func(format string, args ...any) {
		all = append(all, template.HTML(template.HTMLEscapeString(fmt.Sprintf(format, args...)))) // escaped
	}
	if words := s.get("enum").items(); len(words) > 0 {
		var list []string
		for _, w := range words {
			switch {
			case w.ShortTag() == "!!null": // the type says it already
			case w.Value == "":
				list = append(list, "empty")
			default:
				list = append(list, string(code(w.Value)))
			}
		}
		all = append(all, template.HTML(strings.Join(list, " "))) // built of escaped words
	}
	between := func(low, high, unit string) {
		min, max := s.get(low).text(), s.get(high).text()
		switch {
		case min != "" && max != "":
			add("%s to %s%s", min, max, unit)
		case min == "1" && unit != "":
			add("not empty")
		case min != "":
			add("at least %s%s", min, unit)
		case max != "":
			add("at most %s%s", max, unit)
		}
	}
	between("minLength", "maxLength", " characters")
	between("minimum", "maximum", "")
	between("minItems", "maxItems", " items")
	between("minProperties", "maxProperties", " keys")
	if s.get("uniqueItems").text() == "true" {
		add("no item twice")
	}
	if v := s.get("default").text(); v != "" {
		add("default %s", v)
	}
	if v := s.get("pattern").text(); v != "" {
		all = append(all, code(v))
	}
	if v := s.get("propertyNames", "pattern").text(); v != "" {
		all = append(all, "keys "+code(v))
	}
	return all
}

// prose renders the marks that the document's descriptions use: blank lines
// between paragraphs, lines that begin with a hyphen as a list, **strong** and
// `code`.
func prose(text string) template.HTML {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for _, paragraph := range strings.Split(text, "\n\n") {
		paragraph = template.HTMLEscapeString(strings.TrimSpace(paragraph))
		before, between, after := "<p>", "<br>\n", "</p>" // its lines are sentences of their own
		if items, ok := strings.CutPrefix(paragraph, "- "); ok {
			paragraph = strings.ReplaceAll(items, "\n- ", "\n")
			before, between, after = "<ul><li>", "</li>\n<li>", "</li></ul>"
		}
		lines := strings.Split(paragraph, "\n")
		for i, line := range lines {
			lines[i] = marks(marks(line, "`", "code"), "**", "strong")
		}
		b.WriteString(before + strings.Join(lines, between) + after)
	}
	return template.HTML(b.String()) // escaped above
}

// marks turns every second occurrence of a mark into an element's end.
func marks(s, mark, element string) string {
	parts := strings.Split(s, mark)
	if len(parts)%2 == 0 { // a mark without its end is text
		return s
	}
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 1:
			b.WriteString("<" + element + ">" + part)
		case i > 0:
			b.WriteString("</" + element + ">" + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}
