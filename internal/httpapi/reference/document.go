package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// document is the interface document as a tree that keeps its author's order:
// the order in which an interface is explained is part of the explanation.
type document struct{ root node }

// node is a value of the document, or nothing: looking for what is not there
// gives nothing, so that optional parts need no questions.
type node struct {
	*yaml.Node
	siblings *yaml.Node // what stood beside the $ref that led here, and overrides
}

func parse(text []byte) (document, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(text, &file); err != nil {
		return document{}, err
	}
	if file.Kind != yaml.DocumentNode || len(file.Content) != 1 || file.Content[0].Kind != yaml.MappingNode {
		return document{}, fmt.Errorf("the document is not one YAML mapping")
	}
	return document{node{Node: file.Content[0]}}, nil
}

// field is one entry of a mapping.
type field struct {
	name  string
	value node
}

// get follows names down through mappings.
func (n node) get(names ...string) node {
	for _, name := range names {
		n = n.child(name)
	}
	return n
}

func (n node) child(name string) node {
	if v := lookup(n.siblings, name); v != nil {
		return node{Node: v}
	}
	return node{Node: lookup(n.Node, name)}
}

func lookup(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// fields are the entries of a mapping, in order.
func (n node) fields() []field {
	if n.Node == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []field
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, field{n.Content[i].Value, node{Node: n.Content[i+1]}})
	}
	return all
}

// items are the elements of a sequence.
func (n node) items() []node {
	if n.Node == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	var all []node
	for _, c := range n.Content {
		all = append(all, node{Node: c})
	}
	return all
}

func (n node) exists() bool { return n.Node != nil }

func (n node) text() string {
	if n.Node == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// texts are the words of a sequence, or the one word of a scalar.
func (n node) texts() []string {
	if t := n.text(); t != "" {
		return []string{t}
	}
	var all []string
	for _, item := range n.items() {
		all = append(all, item.Value)
	}
	return all
}

// resolve follows a $ref and tells the last part of its name.
func (d document) resolve(n node) (node, string) {
	ref := n.get("$ref").text()
	if ref == "" {
		return n, ""
	}
	parts := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
	target := d.root.get(parts...)
	return node{Node: target.Node, siblings: n.Node}, parts[len(parts)-1]
}

// json writes the value as JSON, in the document's order.
func (n node) json() (json.RawMessage, error) {
	var b bytes.Buffer
	if err := writeJSON(&b, n.Node); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// indented is json for people.
func (n node) indented() (string, error) {
	raw, err := n.json()
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = json.Indent(&b, raw, "", "  ")
	return b.String(), err
}

func writeJSON(b *bytes.Buffer, n *yaml.Node) error {
	switch {
	case n == nil:
		return fmt.Errorf("there is no value")
	case n.Kind == yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			writeText(b, n.Content[i].Value)
			b.WriteByte(':')
			if err := writeJSON(b, n.Content[i+1]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case n.Kind == yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, c); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		writeText(b, n.Value)
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		b.WriteString("null")
	case n.Kind == yaml.ScalarNode && json.Valid([]byte(n.Value)): // true, 7, 0.5
		b.WriteString(n.Value)
	default: // aliases, dates, hexadecimal numbers: nothing that the document needs
		return fmt.Errorf("line %d: %q has no counterpart in JSON", n.Line, n.Value)
	}
	return nil
}

func writeText(b *bytes.Buffer, s string) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)         // a string can always be encoded
	b.Truncate(b.Len() - 1) // Encode ends with a line feed
}
