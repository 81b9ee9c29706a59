package frames

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/motion/plate"
)

// PlatformChannel is what a force platform measured, as it acts on the body and along the axes
// of the laboratory: the force, the centre of pressure, or the free moment about that. It is
// computed of the platform's own channels whenever somebody asks for it.
type PlatformChannel struct {
	Name     string   `json:"name"` // plate1_force, plate1_cop, plate1_moment
	Kind     string   `json:"kind"` // force, point, moment
	Unit     string   `json:"unit"`
	Rate     float64  `json:"rate"`      // samples a second
	PerFrame int      `json:"per_frame"` // samples during one frame
	Columns  []string `json:"columns"`   // along x, y and z

	plate    int // in Info.Plates
	quantity quantity
}

// quantity is one of the three of a platform.
type quantity int

const (
	force quantity = iota
	pressure
	freeMoment
)

var quantities = [...]struct{ name, kind, unit string }{
	force: {"force", KindForce, "N"}, pressure: {"cop", KindPoint, "m"}, freeMoment: {"moment", KindMoment, "N·m"},
}

// of gives the quantity of a wrench.
func (q quantity) of(w plate.Wrench) plate.Vector {
	return [...]plate.Vector{force: w.Force, pressure: w.COP, freeMoment: w.Free}[q]
}

// PlatformChannels gives those of all platforms that can be computed with, as far as their
// description tells; numbers are not looked at. A name that the recording has already gets a
// suffix.
func (i *Info) PlatformChannels() []PlatformChannel {
	all := []PlatformChannel{}
	if len(i.Plates) == 0 {
		return all
	}
	taken := i.names()
	for n := range i.Plates {
		_, perFrame, err := i.Platform(n)
		if err != nil || i.Rate == nil {
			continue
		}
		for q := range quantities {
			c := PlatformChannel{Rate: *i.Rate * float64(perFrame), PerFrame: perFrame, plate: n, quantity: quantity(q)}
			c.Kind, c.Unit = quantities[q].kind, quantities[q].unit
			name := "plate" + strconv.Itoa(n+1) + "_" + quantities[q].name
			c.call(name)
			for k := 2; taken[c.Name] ||
				slices.ContainsFunc(c.Columns, func(column string) bool { return taken[column] }); k++ {
				c.call(name + "_" + strconv.Itoa(k))
			}
			all = append(all, c)
		}
	}
	return all
}

// call names the channel and its columns.
func (c *PlatformChannel) call(name string) {
	c.Name, c.Columns = name, []string{name + "_x", name + "_y", name + "_z"}
}

// names has all names of channels and columns, and those that every table has.
func (i *Info) names() map[string]bool {
	taken := map[string]bool{}
	for _, name := range Reserved {
		taken[name] = true
	}
	for _, c := range i.Channels {
		taken[c.Name] = true
		for _, column := range c.Columns {
			taken[column] = true
		}
	}
	return taken
}

// Platform makes the platform of that place, and says how many samples its channels have
// during a frame. The error is a *plate.Unusable.
func (i *Info) Platform(n int) (platform *plate.Platform, perFrame int, err error) {
	p := i.Plates[n]
	units := make([]string, len(p.Channels))
	for at, name := range p.Channels {
		c := i.Channel(name)
		if c == nil || len(c.Columns) != 1 || at > 0 && perFrame != max(1, c.PerFrame) {
			return nil, 0, &plate.Unusable{Reason: "its channels are not in the recording, or have different rates"}
		}
		units[at], perFrame = c.Unit, max(1, c.PerFrame)
	}
	platform, err = plate.New(p.Plate, i.Metres, i.Up, units)
	return platform, perFrame, err
}

// Channel finds one by its name; nil where there is none.
func (i *Info) Channel(name string) *Channel {
	at := slices.IndexFunc(i.Channels, func(c Channel) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &i.Channels[at]
}

// Platforms says which of some columns are those of force platforms, and how many numbers have
// to be read for them.
func (i *Info) Platforms(columns []string) (chosen []PlatformChannel, numbers int) {
	read := map[int]bool{}
	for _, c := range i.PlatformChannels() {
		if !slices.ContainsFunc(c.Columns, func(column string) bool { return slices.Contains(columns, column) }) {
			continue
		}
		if chosen = append(chosen, c); !read[c.plate] {
			read[c.plate] = true
			// What is read, and forces and moments of it.
			numbers += i.Frames * c.PerFrame * (len(i.Plates[c.plate].Channels) + 6)
		}
	}
	return chosen, numbers
}

// Measure puts the numbers of force platforms into a part, whose columns are then the ones
// that are named, in their order. The info is by the rate that holds; source is the table with
// all samples of the platforms. That of a platform whose numbers cannot be relied on is a
// fault.Conflict that says why.
func (p *Part) Measure(info Info, source *Table, chosen []PlatformChannel, columns []string) error {
	names, stored, units := p.Names, p.Columns, p.Units
	p.Names, p.Columns, p.Units = columns, make([]Numbers, len(columns)), make([]string, len(columns))
	for at, name := range columns {
		if n := slices.Index(names, name); n >= 0 {
			p.Columns[at], p.Units[at] = stored[n], units[n]
		}
	}
	courses := map[int]*plate.Course{}
	for _, c := range chosen {
		course := courses[c.plate]
		if course == nil {
			var err error
			if course, err = info.course(source, c.plate); err != nil {
				return err
			}
			courses[c.plate] = course
		}
		for axis, name := range c.Columns {
			if at := slices.Index(columns, name); at >= 0 {
				p.Columns[at], p.Units[at] = Numbers{Narrow: p.samples(course, c, axis)}, c.Unit
			}
		}
	}
	return nil
}

// samples gives the numbers of the rows of a part; NaN where the platform has no sample.
func (p *Part) samples(course *plate.Course, c PlatformChannel, axis int) []float32 {
	values := make([]float32, 0, len(p.Frames))
	for k := range p.Frames {
		row := p.From + k*p.Every
		at := row % p.PerFrame * c.PerFrame
		if at%p.PerFrame != 0 {
			values = append(values, float32(math.NaN()))
			continue
		}
		w := course.At(row/p.PerFrame*c.PerFrame + at/p.PerFrame)
		values = append(values, float32(c.quantity.of(w)[axis]))
	}
	return values
}

// course reads what a platform measured.
func (i *Info) course(source *Table, n int) (*plate.Course, error) {
	platform, perFrame, err := i.Platform(n)
	if err != nil {
		return nil, err
	}
	values, err := source.ReadSamples(i.Plates[n].columns(i), perFrame)
	if err != nil {
		return nil, err
	}
	course, err := platform.Course(plate.Lists(values), *i.Rate*float64(perFrame))
	var unusable *plate.Unusable
	if errors.As(err, &unusable) {
		return nil, fault.New(fault.Conflict, "Force platform %d cannot be computed with: %s.", n+1, unusable.Reason)
	}
	return course, err
}

// columns are those of the channels of a platform.
func (p *Plate) columns(i *Info) []string {
	columns := make([]string, len(p.Channels))
	for at, name := range p.Channels {
		columns[at] = i.Channel(name).Columns[0]
	}
	return columns
}
