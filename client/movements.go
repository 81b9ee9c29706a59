package client

import (
	"context"
	"net/http"
	"net/url"
)

// Library is the library of movements: which events and metrics are found in recordings, and
// by which definitions.
type Library struct {
	Version    string      `json:"library"` // changes with every definition
	Movements  []Movement  `json:"movements"`
	MarkerSets []MarkerSet `json:"marker_sets"`
	Reasons    []Reason    `json:"reasons"`
}

// Movement is a movement of the library.
type Movement struct {
	Activity    string           `json:"activity"`
	Movement    string           `json:"movement"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Protocol    string           `json:"protocol"` // how it is recorded
	Dimensions  []Dimension      `json:"dimensions"`
	Columns     []MovementColumn `json:"columns"` // events in the order of time, then metrics
}

// Dimension is a property that captures of a movement have.
type Dimension struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Values      []string `json:"values"`   // empty for any text
	Enforced    bool     `json:"enforced"` // no other value is taken
}

// MovementColumn is an event or a metric, and its definition.
type MovementColumn struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"` // event or metric
	Type        string      `json:"type"` // integer, number or text
	Unit        string      `json:"unit"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Definition  string      `json:"definition"`
	Formula     string      `json:"formula"`
	Precision   int         `json:"precision"` // decimals that mean something
	Better      string      `json:"better"`    // higher, lower, or "" where neither is
	Plausible   *[2]float64 `json:"plausible"` // what lies outside is withheld; nil for any
	Values      []string    `json:"values"`    // of a text
	Methods     []Method    `json:"methods"`   // the best first
}

// Method is a way to find the value of a column.
type Method struct {
	ID         string      `json:"id"`
	Version    int         `json:"version"`
	Needs      []string    `json:"needs"` // what a recording must have
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

// Reason is why a column may be withheld, or why there are no columns.
type Reason struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Movements gives the library, or of it the movements of that activity and that name, in any
// case; "" for any.
func (c *Client) Movements(ctx context.Context, activity, movement string, options ...CallOption) (*Library, error) {
	query := url.Values{}
	for name, value := range map[string]string{"activity": activity, "movement": movement} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var l Library
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/movements", query: query}, &l, options...); err != nil {
		return nil, err
	}
	return &l, nil
}

// Landmarks are the names that an organization gives to points of the body.
type Landmarks struct {
	Version   string     `json:"version"`
	Centres   bool       `json:"centres"` // hips, knees and ankles are the middles of the joints
	Landmarks []Landmark `json:"landmarks"`
}

// Landmarks gives the names of the organization.
func (c *Client) Landmarks(ctx context.Context, options ...CallOption) (*Landmarks, error) {
	var l Landmarks
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/landmarks"}, &l, options...); err != nil {
		return nil, err
	}
	return &l, nil
}

// PutLandmarks puts others in their place. Recordings are measured again by them.
func (c *Client) PutLandmarks(ctx context.Context, centres bool, landmarks []Landmark,
	options ...CallOption) (*Landmarks, error) {
	if landmarks == nil {
		landmarks = []Landmark{}
	}
	return called[Landmarks](ctx, c, http.MethodPut, "/landmarks",
		encode(map[string]any{"centres": centres, "landmarks": landmarks}), options)
}

// Computed is what was found in a recording by the definitions of the library. Each column of
// its movement has a value or a reason; where there are no columns, the whole has a reason.
type Computed struct {
	Library string `json:"library"` // version of the library
	// version of the organization's names of points; "" for none
	Landmarks string           `json:"landmarks,omitempty"`
	Reason    *ComputedReason  `json:"reason,omitempty"` // why there are no columns; nil where there are
	Events    []ComputedEvent  `json:"events"`           // in the order of time
	Metrics   []ComputedMetric `json:"metrics"`          // in the order of the library
	Withheld  []Withheld       `json:"withheld"`
	Used      Used             `json:"used"`
}

// ComputedReason is why nothing can be found in a recording.
type ComputedReason struct {
	Code    string `json:"code"` // a reason of the library
	Message string `json:"message"`
}

// ComputedEvent is a moment that was found.
type ComputedEvent struct {
	Column  string  `json:"column"`
	Frame   int     `json:"frame"` // the row nearest in time
	Time    float64 `json:"time"`  // seconds
	Method  string  `json:"method"`
	Version int     `json:"version"`
}

// ComputedMetric is a value that was found: a number, or a text.
type ComputedMetric struct {
	Column  string   `json:"column"`
	Value   *float64 `json:"value"`
	Text    *string  `json:"text"`
	Unit    string   `json:"unit"`
	Method  string   `json:"method"`
	Version int      `json:"version"`
}

// Withheld is a column without a value, and why.
type Withheld struct {
	Column  string `json:"column"`
	Code    string `json:"code"` // a reason of the library
	Message string `json:"message"`
}

// Used is what the values rest on.
type Used struct {
	Force    string   `json:"force"` // where the vertical force is from
	Channels []string `json:"channels"`
	Zero     string   `json:"zero"`     // what was taken off as the offset of the platforms
	Weighing *Span    `json:"weighing"` // the time of standing still
	// how the points of the body are called; "" where none were needed
	MarkerSet string              `json:"marker_set"`
	Landmarks map[string][]string `json:"landmarks"` // the points of each landmark that was used
	Up        string              `json:"up"`        // the axis that was taken to point upwards
	Notes     []string            `json:"notes"`
}

// MarkerSet is a set of points of which the places of a body are known.
type MarkerSet struct {
	Name      string     `json:"name"`
	Centres   bool       `json:"centres"` // hips, knees and ankles are the middles of the joints
	Landmarks []Landmark `json:"landmarks"`
}

// Landmark is a place of the body, and the ways to its points: of the first one of which a
// recording has all points it is the middle.
type Landmark struct {
	Name   string     `json:"name"`
	Points [][]string `json:"points"`
}

// Span is a time from one moment to another, in seconds.
type Span struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}
