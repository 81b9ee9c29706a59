package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strings"
)

// fixed are the fields of a capture without its dimensions.
type fixed Capture

// fixedNames are what the fixed fields are called on the wire.
var fixedNames = func() map[string]bool {
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[fixed]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}()

// UnmarshalJSON reads the fixed fields and takes every other string for a
// dimension.
func (c *Capture) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, (*fixed)(c)); err != nil {
		return err
	}
	c.Dimensions = map[string]string{}
	for quoted, value := range members(b) {
		if value[0] != '"' || fixedNames[string(quoted[1:len(quoted)-1])] {
			continue
		}
		var name, text string
		if err := json.Unmarshal(quoted, &name); err != nil {
			return err
		}
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		if !fixedNames[name] {
			c.Dimensions[name] = text
		}
	}
	return nil
}

// MarshalJSON writes the dimensions beside the fixed fields, as the server does.
func (c Capture) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(fixed(c))
	if err != nil || len(c.Dimensions) == 0 {
		return b, err
	}
	more, err := json.Marshal(c.Dimensions)
	if err != nil {
		return nil, fmt.Errorf("dimensions: %w", err)
	}
	return append(append(b[:len(b)-1], ','), more[1:]...), nil
}

// members gives the names, in their quotes, and the values of an object of valid JSON,
// as they are written. A page has hundreds of captures, and to decode each a second time
// only to find its few dimensions would take longer than the first.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		rest := object
		for {
			start := bytes.IndexByte(rest, '"')
			if start < 0 {
				return
			}
			rest = rest[start:]
			name := rest[:textEnd(rest)]
			rest = bytes.TrimLeft(rest[len(name):], ": \t\r\n")
			value := rest[:valueEnd(rest)]
			rest = rest[len(value):]
			if !yield(name, value) {
				return
			}
		}
	}
}

// textEnd is where a string ends that begins with its quote.
func textEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// valueEnd is where a value ends: before the comma or the bracket behind it.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += textEnd(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}
