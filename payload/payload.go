// Package payload writes the strings and times of answers, and reads the JSON that
// people send, strictly: one object of valid UTF-8, no name twice at any depth,
// nothing dropped or repaired in silence (RFC 7493, I-JSON). It keeps numbers as the
// text that was sent and members in their order, and leaves the meaning to the nouns.
package payload

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kinebase/kinebase/fault"
)

// MaxDepth is how deep objects and arrays may lie in each other; the outermost
// object is 1.
const MaxDepth = 32

// MaxValues is how many values one text may hold, at all depths together: far
// more than anybody means, and few enough that what is made of them is small
// beside the text.
const MaxValues = 20_000

// Member is one name and its value.
type Member struct {
	Name  string // unescaped
	Value Value
}

// Object is a JSON object. The zero value is the empty one.
type Object struct{ members []Member }

// Members gives the members in the order in which they were sent. The slice is
// the object's own and must not be changed.
func (o Object) Members() []Member { return o.members }

// Get finds a member by its exact name.
func (o Object) Get(name string) (Value, bool) {
	for _, m := range o.members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// Parse reads one JSON object. The object goes on using b, which must not be
// changed afterwards. Every error is a fault.BadRequest with one problem, whose
// Field is set for a name that is given twice.
//
// The whole text is judged before anything of it is used, in one pass over
// tokens and without recursion. What lies deeper than the first level is judged
// but not yet built, so that a large body of tiny values costs no more memory
// than its own bytes.
func Parse(b []byte) (Object, error) {
	switch {
	case bytes.HasPrefix(b, []byte("\ufeff")):
		return Object{}, refuse("", "the JSON must not begin with a byte order mark")
	case !utf8.Valid(b):
		return Object{}, refuse("", "the JSON must be valid UTF-8")
	}
	s := scanners.Get().(*scanner)
	defer s.release()
	s.open(b)

	kind := s.dec.PeekKind()
	if kind != jsontext.KindBeginObject {
		if _, err := s.dec.ReadToken(); err != nil {
			if err == io.EOF {
				return Object{}, refuse("", "a JSON object is expected, but nothing was sent")
			}
			return Object{}, s.explain(err)
		}
		return Object{}, refuse("", "a JSON object is expected, not %s", kindOf(kind).Article())
	}
	members, err := s.members()
	if err != nil {
		return Object{}, err
	}
	switch _, err := s.dec.ReadToken(); err {
	case io.EOF:
		return Object{members}, nil
	case nil:
		return Object{}, refuse("", "nothing may follow the JSON object")
	default:
		return Object{}, refuse("", "nothing may follow the JSON object (byte %d)", s.dec.InputOffset()+1)
	}
}

// scanner is a decoder over one text. Decoders are large, and bodies are small
// and many: they are used again.
type scanner struct {
	dec  *jsontext.Decoder
	buf  bytes.Buffer
	text []byte
	seen int // values
}

var scanners = sync.Pool{New: func() any { return &scanner{dec: jsontext.NewDecoder(new(bytes.Buffer))} }}

func (s *scanner) open(b []byte) {
	s.text, s.seen = b, 0
	s.buf = *bytes.NewBuffer(b)
	s.dec.Reset(&s.buf)
}

func (s *scanner) release() {
	s.text, s.buf = nil, bytes.Buffer{}
	s.dec.Reset(&s.buf)
	scanners.Put(s)
}

// members reads an object up to its closing brace.
func (s *scanner) members() ([]Member, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, s.explain(err)
	}
	var members []Member
	for s.dec.PeekKind() != jsontext.KindEndObject {
		name, err := s.dec.ReadToken()
		if err != nil {
			return nil, s.explain(err)
		}
		m := Member{Name: name.String()}
		if m.Value, err = s.value(); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, s.explain(err)
	}
	return members, nil
}

// elements reads an array up to its closing bracket.
func (s *scanner) elements() ([]Value, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, s.explain(err)
	}
	var values []Value
	for s.dec.PeekKind() != jsontext.KindEndArray {
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, s.explain(err)
	}
	return values, nil
}

// value reads one value and judges everything inside it.
func (s *scanner) value() (Value, error) {
	base := s.dec.StackDepth()
	t, err := s.dec.ReadToken()
	if err != nil {
		return Value{}, s.explain(err)
	}
	if s.seen++; s.seen > MaxValues {
		return Value{}, tooMany()
	}
	v := Value{kind: kindOf(t.Kind())}
	switch v.kind {
	case KindString, KindNumber:
		v.text = t.String()
	case KindBool:
		v.flag = t.Bool()
	case KindObject, KindArray:
		start := s.dec.InputOffset() - 1 // the bracket just read
		for s.dec.StackDepth() > base {
			if s.dec.StackDepth() > MaxDepth {
				return Value{}, refuse("", "the JSON must be nested at most %d deep", MaxDepth)
			}
			if _, err := s.dec.ReadToken(); err != nil {
				return Value{}, s.explain(err)
			}
			if s.seen++; s.seen > MaxValues { // names and brackets count too
				return Value{}, tooMany()
			}
		}
		v.raw = s.text[start:s.dec.InputOffset()]
	}
	return v, nil
}

func tooMany() error { return refuse("", "the JSON must hold at most %d values", MaxValues) }

func refuse(field, format string, args ...any) error {
	var p fault.Problems
	p.Add(field, format, args...)
	return p.Err()
}

// explain turns the decoder's error into a sentence for people.
func (s *scanner) explain(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return refuse("", "the JSON is cut short")
	}
	var se *jsontext.SyntacticError
	if !errors.As(err, &se) {
		return refuse("", "the JSON cannot be read")
	}
	if errors.Is(se.Err, jsontext.ErrDuplicateName) {
		name := se.JSONPointer.LastToken()
		return refuse(name, "the field %s is given twice", Quote(name))
	}
	return refuse("", "the JSON is not valid at byte %d: %s", se.ByteOffset+1, s.plain(se))
}

// complaints are parts of what the decoder says, and how it is told to people:
// the first that is found counts.
var complaints = []struct{ part, words string }{
	{"surrogate", "the escape is half a character, without the other half"},
	{"escape", "it is no escape that JSON knows"},
	{"in string", "a control character in a string must be written as an escape"},
	{"start of string", "a name must stand in double quotes"},
	{"name must be a string", "a name must stand in double quotes"},
	{"missing value", "a value is missing after a name"},
	{"object name", "a colon is missing after a name"},
	{"object value", "a comma or } is missing"},
	{"array element", "a comma or ] is missing"},
	{"structural token", "a bracket closes what another kind of bracket opened"},
	{"in literal", "the only words without quotes are true, false and null"},
	{"in number", "a digit is missing"},
}

// plain says what is wrong in other words than the decoder's, which are for
// those who know its language.
func (s *scanner) plain(se *jsontext.SyntacticError) string {
	said := se.Err.Error()
	for _, c := range complaints {
		if strings.Contains(said, c.part) {
			return c.words
		}
	}
	if at := se.ByteOffset; at >= 0 && at < int64(len(s.text)) {
		r, _ := utf8.DecodeRune(s.text[at:])
		return Quote(string(r)) + " cannot stand there"
	}
	return "it cannot be read from there on"
}
