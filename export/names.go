package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// The columns of several captures are united by their names. A name that is an event in
// any of them is that event's in all of them: a channel or a metric of that name, in
// whichever capture, has a suffix in the rows, _2 or the first that nothing else has. So has
// a text where the name is a number's in another capture.

// Kind is what a column of the recordings has in the rows. Columns of one name and different
// kinds are different columns.
type Kind string

// The kinds, in the order in which they get a name that several have.
const (
	// in a row a frame the frames counted from the event, in a row a capture the frame at which it lies
	Event  Kind = "event"
	Moment Kind = "event_time" // in a row a capture: the seconds at which an event lies
	Number Kind = "number"     // of a channel, or a metric
	Text   Kind = "text"       // a metric that is a text
)

// The kinds that the columns of a row that is an athlete have besides Text.
const (
	Count   Kind = "count"   // a whole number
	Instant Kind = "instant" // a time
)

var kinds = []Kind{Event, Moment, Number, Text}

// momentSuffix is what the time of an event has behind the event's name.
const momentSuffix = "_time"

// Origin is a column of recordings. That of a Moment has the name of the event.
type Origin struct {
	Kind Kind
	Name string
}

// Plain is what the column is called in the rows where nothing else is called so.
func (o Origin) Plain() string {
	if o.Kind == Moment {
		return o.Name + momentSuffix
	}
	return o.Name
}

// Names collects what the columns of captures are called. With wanted names it keeps
// those alone that could be shown as one of them: what a name is shown as depends on no
// other.
type Names struct {
	shape  Shape
	wanted map[string]bool // stems; nil: all
	had    map[Origin]bool
	plain  map[string]bool // what these are called
}

// NewNames collects those that bear on what is wanted of rows of a shape; all where nothing is.
func NewNames(shape Shape, wanted []string) *Names {
	n := &Names{shape: shape, had: map[Origin]bool{}, plain: map[string]bool{}}
	for _, name := range wanted {
		if n.wanted == nil {
			n.wanted = map[string]bool{}
		}
		n.wanted[stem(name)] = true
	}
	return n
}

// Copy is one to which more can be added while this one stays.
func (n *Names) Copy() *Names {
	c := &Names{n.shape, n.wanted, make(map[Origin]bool, len(n.had)), make(map[string]bool, len(n.plain))}
	for o := range n.had {
		c.Put(o)
	}
	return c
}

// Bears says whether what is wanted depends on columns that recordings call so.
func (n *Names) Bears(name string) bool {
	return n.wanted == nil || n.wanted[stem(name)] || n.shape.Whole() && n.wanted[stem(name+momentSuffix)]
}

// Put takes a column.
func (n *Names) Put(o Origin) { n.had[o], n.plain[o.Plain()] = true, true }

// Add takes the columns of a recording.
func (n *Names) Add(info frames.Info) {
	EachColumn(n.shape, info, func(o Origin, _ *frames.Channel) {
		if n.Bears(o.Name) {
			n.Put(o)
		}
	})
}

// EachColumn calls f for every column that a recording has in rows of a shape; c is nil
// but for the columns of channels, which rows of captures do not have.
func EachColumn(shape Shape, info frames.Info, f func(o Origin, c *frames.Channel)) {
	if shape == RowPerMetric { // the metrics, by which its rows are chosen
		info.Events, info.Computed = nil, info.Computed.WithoutEvents()
	}
	for i := range info.Channels {
		for _, name := range info.Channels[i].Columns {
			if !shape.Whole() {
				f(Origin{Number, name}, &info.Channels[i])
			}
		}
	}
	for _, e := range info.EventColumns() {
		if f(Origin{Event, e.Name}, nil); shape.Whole() {
			f(Origin{Moment, e.Name}, nil)
		}
	}
	for _, m := range info.MetricColumns() {
		if m.Text != nil {
			f(Origin{Text, m.Name}, nil)
		} else {
			f(Origin{Number, m.Name}, nil)
		}
	}
}

// Has says whether a column is there.
func (n *Names) Has(o Origin) bool { return n.had[o] }

// HasPlain says whether rows have a column of that name because a column of the captures is called
// so where nothing else is.
func (n *Names) HasPlain(name string) bool {
	return n.plain[name] && !slices.Contains(n.shape.reserved(), name)
}

// Aside gives what columns are called in the rows that are called otherwise there, for
// another one has the name.
func (n *Names) Aside() map[Origin]string {
	var all []Origin
	for o := range n.had {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b Origin) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(a.Name, b.Name))
	})
	aside, used := map[Origin]string{}, map[string]bool{}
	for _, name := range n.shape.reserved() {
		used[name] = true
	}
	for _, o := range all {
		shown := o.Plain()
		for k := 2; used[shown] || shown != o.Plain() && n.plain[shown]; k++ {
			shown = o.Plain() + "_" + strconv.Itoa(k)
		}
		if used[shown] = true; shown != o.Plain() {
			aside[o] = shown
		}
	}
	return aside
}

// Shows says whether rows have a column of that name.
func (n *Names) Shows(name string) bool {
	if n.HasPlain(name) {
		return true
	}
	for _, shown := range n.Aside() {
		if shown == name {
			return true
		}
	}
	return false
}

// stem is a name without the numbers behind it by which columns are told apart.
func stem(name string) string {
	for {
		at := strings.LastIndexByte(name, '_')
		if at < 1 || at == len(name)-1 || strings.Trim(name[at+1:], "0123456789") != "" {
			return name
		}
		name = name[:at]
	}
}
