package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/client"
)

type channelsAsked struct {
	SessionID string   `json:"session_id" jsonschema:"of the capture"`
	Channels  []string `json:"channels" jsonschema:"names of channels or columns; * stands for any characters. At most 12 columns in all"`
	From      *float64 `json:"from,omitempty" jsonschema:"from this time on, in seconds"`
	To        *float64 `json:"to,omitempty" jsonschema:"up to this time, in seconds"`
	Points    int      `json:"points,omitempty" jsonschema:"how many points of the series to give, 2 to 500; 50 without it"`
}

type channelsRead struct {
	Frames  int                   `json:"frames" jsonschema:"how many there are in the range"`
	Columns map[string]statistics `json:"columns" jsonschema:"over all frames of the range"`
	Series  series                `json:"series" jsonschema:"every so many frames of the range: a peak may lie between two of them"`
}

// statistics are of the values of a column that are there.
type statistics struct {
	Unit         string   `json:"unit,omitempty" jsonschema:"missing where it is not known"`
	Least        *float64 `json:"least,omitempty"`
	LeastTime    *float64 `json:"least_time,omitempty" jsonschema:"seconds"`
	Greatest     *float64 `json:"greatest,omitempty"`
	GreatestTime *float64 `json:"greatest_time,omitempty" jsonschema:"seconds"`
	Mean         *float64 `json:"mean,omitempty"`
	Missing      int      `json:"missing,omitempty" jsonschema:"in how many frames there is no value"`
}

type series struct {
	Every  int                   `json:"every" jsonschema:"frames from one point to the next"`
	Time   []float64             `json:"time" jsonschema:"seconds"`
	Values map[string][]*float64 `json:"values" jsonschema:"null where there is no value"`
}

// mostColumns bounds an answer: an assistant reads all of it.
const mostColumns = 12

func (t *tools) readChannels(ctx context.Context, ask channelsAsked) (channelsRead, error) {
	if len(ask.Channels) == 0 {
		return channelsRead{}, errors.New("name at least one channel or column; read_capture lists them")
	}
	m, err := t.server.Motion(ctx, ask.SessionID)
	if err != nil {
		return channelsRead{}, err
	}
	got, err := t.server.Frames(ctx, ask.SessionID, client.FrameQuery{Channels: strings.Join(ask.Channels, ",")})
	if err != nil {
		return channelsRead{}, err
	}
	times := got.Columns["time"]
	var rows []int
	for row, at := range times {
		if (ask.From == nil || at >= *ask.From) && (ask.To == nil || at <= *ask.To) {
			rows = append(rows, row)
		}
	}
	names := slices.Sorted(maps.Keys(got.Columns))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "frame" || name == "time" })
	if len(names) > mostColumns {
		return channelsRead{}, fmt.Errorf("these channels have %d columns, and %d may be asked for at a time: name "+
			"single columns", len(names), mostColumns)
	}
	units := unitsOf(m)
	points := atMost(ask.Points, 50, 500)
	every := max(1, (len(rows)+points-1)/points)
	read := channelsRead{Frames: len(rows), Columns: map[string]statistics{},
		Series: series{Every: every, Time: []float64{}, Values: map[string][]*float64{}}}
	for n := 0; n < len(rows); n += every {
		read.Series.Time = append(read.Series.Time, times[rows[n]])
	}
	for _, name := range names {
		values := got.Columns[name]
		read.Columns[name] = statisticsOf(values, times, rows, units[name])
		line := []*float64{}
		for n := 0; n < len(rows); n += every {
			line = append(line, known(values[rows[n]]))
		}
		read.Series.Values[name] = line
	}
	return read, nil
}

// unitsOf gives the unit of each column.
func unitsOf(m *client.Motion) map[string]string {
	units := map[string]string{}
	for _, c := range m.Channels {
		for _, column := range c.Columns {
			units[column] = c.Unit
		}
	}
	for _, c := range m.Platforms {
		for _, column := range c.Columns {
			units[column] = c.Unit
		}
	}
	return units
}

// statisticsOf goes through some rows of a column.
func statisticsOf(values, times client.Numbers, rows []int, unit string) statistics {
	s := statistics{Unit: unit}
	sum, n := 0.0, 0
	for _, row := range rows {
		v := known(values[row])
		if v == nil {
			s.Missing++
			continue
		}
		sum, n = sum+*v, n+1
		if s.Least == nil || *v < *s.Least {
			s.Least, s.LeastTime = v, &times[row]
		}
		if s.Greatest == nil || *v > *s.Greatest {
			s.Greatest, s.GreatestTime = v, &times[row]
		}
	}
	if n > 0 {
		mean := sum / float64(n)
		s.Mean = &mean
	}
	return s
}

// known is a value; nil where it is missing.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
