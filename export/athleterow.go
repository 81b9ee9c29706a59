package export

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/field"
	"github.com/kinebase/kinebase/payload"
)

// Where a row is an athlete, the recording of a part is none: its Info is the athlete as reading one answers it. The
// columns are the fields of that answer, in their order and called as there, behind athleteid, by which the tables
// are joined. Lists and objects are texts of JSON, as no column of a table has several values.

// fieldUnits are the units of an athlete's numbers.
var fieldUnits = map[string]string{"height": "in", "weight": "lb"}

// AthleteRow gives the columns of an athlete behind athleteid.
func AthleteRow() (all []Column) {
	for _, f := range athlete.Fields {
		kind := Text
		switch {
		case f.Name == "id":
			continue
		case f.Number != nil:
			kind = Count
		case f.Time != nil:
			kind = Instant
		}
		all = append(all, Column{Name: f.Name, From: Origin{kind, f.Name}})
	}
	return all
}

// athleteFields finds the fields of an athlete by name.
var athleteFields = field.Index(athlete.Fields, func(f *field.Field[athlete.Athlete]) string { return f.Name })

// athleteCells reads the cells of a row in such columns from an athlete in the read shape.
func athleteCells(columns []Column, read []byte) (cells []cell, err error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(read, &values); err != nil {
		return nil, fmt.Errorf("what was kept of an athlete cannot be read: %w", err)
	}
	for place, c := range columns {
		raw := values[c.Name]
		if raw == nil || string(raw) == "null" {
			continue
		}
		value := new(fixed)
		switch f := athleteFields[c.Name]; {
		case c.From.Kind == Count:
			err = json.Unmarshal(raw, &value.whole)
		case f.List != nil || f.Map != nil:
			value.text = new(string(raw))
		default:
			value.text = new(string)
			if err = json.Unmarshal(raw, value.text); err != nil {
				break
			}
			if c.From.Kind == Instant {
				var t time.Time
				t, err = time.Parse(payload.TimeLayout, *value.text)
				value.text, value.instant = nil, &t
			} else if f.Day != nil { // the answer has midnight behind it
				*value.text, _, _ = strings.Cut(*value.text, "T")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the %s that was kept of an athlete cannot be read: %w", c.Name, err)
		}
		cells = append(cells, cell{place: place, unit: fieldUnits[c.Name], fixed: value})
	}
	return cells, nil
}
