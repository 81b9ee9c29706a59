package reference

import (
	"fmt"
	"html/template"
	"strings"
)

// page is everything that the template shows.
type page struct {
	Title, Version, Summary string
	Base                    string // the path of the interface: /v1
	Intro, Security         template.HTML
	Groups                  []group
	Errors                  []answer
	Schemas                 []schemaView
	Style                   template.CSS
}

// group is the operations of one tag.
type group struct {
	Name       string
	Text       template.HTML
	Operations []operation
}

type operation struct {
	ID, Method, Path, Summary string
	Scopes                    []string
	Public                    bool // no token is asked for
	Text                      template.HTML
	Parameters                []fieldView
	Body                      []content
	BodyText                  template.HTML
	Answers                   []answer // of its own
	Shared                    []answer // that several operations have; explained once
	Curl                      string
}

type answer struct {
	Status  string
	Name    string // of a shared answer
	Text    template.HTML
	Headers []fieldView
	Content []content
}

// content is a body in one of the media types that it can have.
type content struct {
	Media    string // "" for JSON, which goes without saying
	Type     template.HTML
	Examples []example
}

type example struct{ Summary, Text string }

func (d document) page() (*page, error) {
	info := d.root.get("info")
	p := &page{
		Title: info.get("title").text(), Version: info.get("version").text(), Summary: info.get("summary").text(),
		Intro:    prose(info.get("description").text()),
		Security: prose(d.root.get("components", "securitySchemes", "bearer", "description").text()),
	}
	if servers := d.root.get("servers").items(); len(servers) > 0 {
		p.Base = servers[0].get("url").text()
	}
	byTag := map[string][]operation{}
	for _, path := range d.root.get("paths").fields() {
		for _, method := range path.value.fields() {
			op, err := d.operation(path.name, method.name, method.value)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method.name, path.name, err)
			}
			for _, tag := range method.value.get("tags").texts() {
				byTag[tag] = append(byTag[tag], op)
			}
		}
	}
	for _, tag := range d.root.get("tags").items() {
		name := tag.get("name").text()
		p.Groups = append(p.Groups, group{name, prose(tag.get("description").text()), byTag[name]})
	}
	status := d.statuses()
	for _, f := range d.root.get("components", "responses").fields() {
		a, err := d.answer(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		a.Name, a.Status = f.name, status[f.name]
		p.Errors = append(p.Errors, a)
	}
	for _, f := range d.root.get("components", "schemas").fields() {
		if !scalars[f.name] {
			p.Schemas = append(p.Schemas, d.schema(f.name, f.value))
		}
	}
	return p, nil
}

// statuses tells the status of each shared answer: the document says it where the
// answer is used. The one that no operation can use is that of a method which is
// no operation.
func (d document) statuses() map[string]string {
	all := map[string]string{"MethodNotAllowed": "405"}
	for _, path := range d.root.get("paths").fields() {
		for _, method := range path.value.fields() {
			for _, r := range method.value.get("responses").fields() {
				if _, name := d.resolve(r.value); name != "" {
					all[name] = r.name
				}
			}
		}
	}
	return all
}

func (d document) operation(path, method string, n node) (operation, error) {
	op := operation{
		ID: n.get("operationId").text(), Method: strings.ToUpper(method), Path: path,
		Summary: n.get("summary").text(), Text: prose(n.get("description").text()),
	}
	op.Public = n.get("security").exists() && len(n.get("security").items()) == 0
	for _, requirement := range n.get("security").items() {
		op.Scopes = append(op.Scopes, requirement.get("bearer").texts()...)
	}
	for _, ref := range n.get("parameters").items() {
		op.Parameters = append(op.Parameters, d.parameter(ref))
	}
	if body := n.get("requestBody"); body.exists() {
		var err error
		if op.Body, err = d.content(body); err != nil {
			return op, err
		}
		op.BodyText = prose(body.get("description").text())
	}
	for _, r := range n.get("responses").fields() {
		resolved, name := d.resolve(r.value)
		a, err := d.answer(resolved)
		if err != nil {
			return op, err
		}
		a.Status, a.Name = r.name, name
		if name == "" {
			op.Answers = append(op.Answers, a)
		} else {
			op.Shared = append(op.Shared, a)
		}
	}
	op.Curl = d.curl(op, n)
	return op, nil
}

func (d document) parameter(ref node) fieldView {
	p, _ := d.resolve(ref)
	schema, _ := d.resolve(p.get("schema"))
	f := fieldView{
		Name: p.get("name").text(), Place: p.get("in").text(), Required: p.get("required").text() == "true",
		Type: d.typeOf(p.get("schema")), Rules: rules(schema),
		Text: prose(p.get("description").text()), Example: p.get("example").text(),
	}
	return f
}

func (d document) answer(n node) (answer, error) {
	a := answer{Text: prose(n.get("description").text())}
	for _, h := range n.get("headers").fields() {
		header, _ := d.resolve(h.value)
		schema, _ := d.resolve(header.get("schema"))
		a.Headers = append(a.Headers, fieldView{
			Name: h.name, Required: header.get("required").text() == "true",
			Type: d.typeOf(header.get("schema")), Rules: rules(schema),
			Text: prose(header.get("description").text()), Example: header.get("example").text(),
		})
	}
	if !n.get("content").exists() {
		return a, nil
	}
	var err error
	a.Content, err = d.content(n)
	return a, err
}

func (d document) content(n node) (all []content, err error) {
	for _, media := range n.get("content").fields() {
		c := content{Media: media.name, Type: d.typeOf(media.value.get("schema"))}
		if media.name == "application/json" {
			c.Media = ""
		}
		for _, e := range media.value.get("examples").fields() {
			text := e.value.get("value").text()
			if text == "" { // no string
				if text, err = e.value.get("value").indented(); err != nil {
					return nil, fmt.Errorf("example %s: %w", e.name, err)
				}
			}
			c.Examples = append(c.Examples, example{e.value.get("summary").text(), text})
		}
		all = append(all, c)
	}
	return all, nil
}

// curl writes a line that can be pasted into a shell.
func (d document) curl(op operation, n node) string {
	path := op.Path
	for _, p := range op.Parameters {
		path = strings.ReplaceAll(path, "{"+p.Name+"}", p.Example)
	}
	line := "curl"
	if op.Method != "GET" && (op.Body == nil || op.Method != "POST") {
		line += " -X " + op.Method
	}
	if !op.Public {
		line += ` -H "Authorization: Bearer $KINEBASE_TOKEN"`
	}
	for _, p := range op.Parameters {
		if p.Place == "header" && p.Required {
			line += ` -H "` + p.Name + `: ` + p.Example + `"`
		}
	}
	line += ` "$KINEBASE_URL` + path + `"`
	if form := n.get("requestBody", "content", "multipart/form-data", "examples").fields(); len(form) > 0 {
		for _, f := range form[0].value.get("value").fields() {
			value := f.value.text()
			if f.name == "file" {
				value = "@FILE"
			}
			line += " \\\n  -F '" + f.name + "=" + strings.ReplaceAll(value, "'", `'\''`) + "'"
		}
		return line
	}
	for _, media := range n.get("requestBody", "content").fields() {
		examples := media.value.get("examples").fields()
		if len(examples) == 0 {
			continue
		}
		line += ` \` + "\n  -H 'Content-Type: " + media.name + "'"
		if media.name != "application/json" {
			return line + " --data-binary @FILE"
		}
		if raw, err := examples[0].value.get("value").json(); err == nil {
			line += " -d '" + strings.ReplaceAll(string(raw), "'", `'\''`) + "'"
		}
		return line
	}
	return line
}
