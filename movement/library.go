package movement

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Library is all that is known of movements.
type Library struct {
	Version    string      `json:"library"` // changes with every definition
	Movements  []Movement  `json:"movements"`
	MarkerSets []MarkerSet `json:"marker_sets"`
	Reasons    []Reason    `json:"reasons"`
}

// Movement is a kind of movement that somebody can be asked to make.
type Movement struct {
	Activity    string      `json:"activity"`
	Movement    string      `json:"movement"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Protocol    string      `json:"protocol"`   // how it is recorded
	Dimensions  []Dimension `json:"dimensions"` // by name
	Columns     []Column    `json:"columns"`    // events in the order of time, then metrics
}

// Dimension is a property of a capture of the movement, such as handedness.
type Dimension struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Values      []string `json:"values"`   // empty where any text will do
	Enforced    bool     `json:"enforced"` // no other value is taken
}

// Kind is what a column of the library is about.
type Kind string

// The kinds of columns: a moment, and a value of the whole recording.
const (
	Event  Kind = "event"
	Metric Kind = "metric"
)

// Type is what the values of a column are.
type Type string

// The types of values. Those of events are integers: frames, counted from the event.
const (
	Integer Type = "integer"
	Number  Type = "number"
	Text    Type = "text"
)

// Column is an event or a metric.
type Column struct {
	Name        string      `json:"name"` // as exports call it
	Kind        Kind        `json:"kind"`
	Type        Type        `json:"type"`
	Unit        string      `json:"unit"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Definition  string      `json:"definition"` // with the numbers of the parameters
	Formula     string      `json:"formula"`    // "" where the definition says it all
	Precision   int         `json:"precision"`  // decimals that mean something
	Better      string      `json:"better"`     // higher, lower, or "" where neither is
	Plausible   *[2]float64 `json:"plausible"`  // what lies outside is withheld; null for any
	Values      []string    `json:"values"`     // of a text; empty for others
	Methods     []Method    `json:"methods"`    // the ways to find it, the best first
}

// Method is a way to find the value of a column.
type Method struct {
	ID         string      `json:"id"`
	Version    int         `json:"version"` // grows when its numbers may change
	Needs      []string    `json:"needs"`   // what a recording must have
	Parameters []Parameter `json:"parameters"`
	Accuracy   string      `json:"accuracy"`
	Sources    []Source    `json:"sources"`
}

// Parameter is a number that a definition rests on.
type Parameter struct {
	Name        string  `json:"name"`
	Value       float64 `json:"value"`
	Unit        string  `json:"unit"`
	Description string  `json:"description"`
}

// Source is where a definition was published.
type Source struct {
	Citation string `json:"citation"`
	DOI      string `json:"doi"` // "" where none is known
}

// library is the library without its version and with the texts of definitions as they are written: what is needed
// to compute. The version takes as long to make as a movement to be computed, and a reader of one needs none.
var library = sync.OnceValue(func() *Library {
	return &Library{Movements: movements(), MarkerSets: markerSets, Reasons: reasons}
})

// Read gives the library. Nobody may change it.
var Read = sync.OnceValue(func() *Library {
	l := &Library{Movements: movements(), MarkerSets: markerSets, Reasons: reasons}
	for i := range l.Movements {
		m := &l.Movements[i]
		for c := range m.Columns {
			m.Columns[c].complete()
		}
	}
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err) // a number that is none stands in a definition
	}
	sum := sha256.Sum256(raw)
	l.Version = hex.EncodeToString(sum[:])[:12]
	return l
})

// Find gives the movement of that name, folded as labels are compared; nil for one that
// the library does not have.
func (l *Library) Find(activity, name string) *Movement {
	at := slices.IndexFunc(l.Movements, func(m Movement) bool { return m.Activity == activity && m.Movement == name })
	if at < 0 {
		return nil
	}
	return &l.Movements[at]
}

// Column gives the column of that name; nil for one that the movement does not have.
func (m *Movement) Column(name string) *Column {
	at := slices.IndexFunc(m.Columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &m.Columns[at]
}

// complete puts the numbers of its parameters into the definition, where their names
// stand in braces, and makes lists of what is nil.
func (c *Column) complete() {
	c.Methods = slices.Clone(c.Methods)
	for i := range c.Methods {
		m := &c.Methods[i]
		m.Needs, m.Sources, m.Parameters = whole(m.Needs), whole(m.Sources), whole(m.Parameters)
		for _, p := range m.Parameters {
			c.Definition = strings.ReplaceAll(c.Definition, "{"+p.Name+"}", p.String())
		}
	}
	c.Values = whole(c.Values)
}

// whole is a list that is never nil.
func whole[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
