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
	Text                      template.HTML
	Parameters                []fieldView
	Body                      *content
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
	Content *content
}

type content struct {
	Type     template.HTML
	Examples []example
}

type example struct{ Summary, JSON string }

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

func (d document) content(n node) (*content, error) {
	media := n.get("content", "application/json")
	c := &content{Type: d.typeOf(media.get("schema"))}
	for _, e := range media.get("examples").fields() {
		text, err := e.value.get("value").indented()
		if err != nil {
			return nil, fmt.Errorf("example %s: %w", e.name, err)
		}
		c.Examples = append(c.Examples, example{e.value.get("summary").text(), text})
	}
	return c, nil
}

// curl writes a line that can be pasted into a shell.
func (d document) curl(op operation, n node) string {
	path := op.Path
	for _, p := range op.Parameters {
		path = strings.ReplaceAll(path, "{"+p.Name+"}", p.Example)
	}
	line := "curl"
	if op.Method != "GET" && op.Body == nil {
		line += " -X " + op.Method
	}
	line += ` -H "Authorization: Bearer $KINEBASE_TOKEN" "$KINEBASE_URL` + path + `"`
	if op.Body != nil && len(op.Body.Examples) > 0 {
		raw, err := n.get("requestBody", "content", "application/json", "examples").fields()[0].value.get("value").json()
		if err == nil {
			line += ` \` + "\n  -H 'Content-Type: application/json' -d '" + strings.ReplaceAll(string(raw), "'", `'\''`) + "'"
		}
	}
	return line
}
