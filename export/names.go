package export

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// The columns of several captures are united by their names. A name that is an event in
// any of them is that event's in all of them: a channel or a metric of that name, in
// whichever capture, has a suffix in the rows, _2 or the first that nothing else has.

// Names collects what the columns of captures are called. With wanted names it keeps
// those alone that could be shown as one of them: what a name is shown as depends on no
// other.
type Names struct {
	wanted  map[string]bool // stems; nil: all
	Columns map[string]bool // of channels and metrics
	Events  map[string]bool
}

// NewNames collects those that bear on the wanted ones; all where there are none.
func NewNames(wanted []string) *Names {
	n := &Names{Columns: map[string]bool{}, Events: map[string]bool{}}
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
	return &Names{n.wanted, maps.Clone(n.Columns), maps.Clone(n.Events)}
}

// Bears says whether what is wanted depends on a name.
func (n *Names) Bears(name string) bool { return n.wanted == nil || n.wanted[stem(name)] }

// Add takes the names of a recording.
func (n *Names) Add(info frames.Info) {
	EachColumn(info, func(name string, event bool, _ *frames.Channel) {
		switch {
		case !n.Bears(name):
		case event:
			n.Events[name] = true
		default:
			n.Columns[name] = true
		}
	})
}

// EachColumn calls f for every column that a recording has in the rows of an export; c
// is nil for events and metrics.
func EachColumn(info frames.Info, f func(name string, event bool, c *frames.Channel)) {
	for i := range info.Channels {
		for _, name := range info.Channels[i].Columns {
			f(name, false, &info.Channels[i])
		}
	}
	for _, e := range info.EventColumns() {
		f(e.Name, true, nil)
	}
	for _, m := range info.MetricColumns() {
		f(m.Name, false, nil)
	}
}

// Aside gives the names under which columns are shown that have the name of an event.
func (n *Names) Aside() map[string]string {
	var both []string
	for name, column := range n.Columns {
		if column && n.Events[name] {
			both = append(both, name)
		}
	}
	slices.Sort(both)
	aside, used := map[string]string{}, map[string]bool{}
	for _, name := range both {
		for k := 2; ; k++ {
			shown := name + "_" + strconv.Itoa(k)
			if !n.Columns[shown] && !n.Events[shown] && !used[shown] {
				aside[name], used[shown] = shown, true
				break
			}
		}
	}
	return aside
}

// Shows says whether rows have a column of that name.
func (n *Names) Shows(name string) bool {
	if n.Columns[name] || n.Events[name] {
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
