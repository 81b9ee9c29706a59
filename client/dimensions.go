package client

import (
	"encoding/json"
	"fmt"
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
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	c.Dimensions = map[string]string{}
	for name, value := range all {
		if fixedNames[name] || value[0] != '"' {
			continue
		}
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		c.Dimensions[name] = text
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
