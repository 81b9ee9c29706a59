package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/client"
)

// measured is a value, or the reason why there is none.
type measured struct {
	Value    *float64 `json:"value,omitempty"`
	Text     string   `json:"text,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Source   string   `json:"source,omitempty" jsonschema:"computed, or file: the file's own"`
	Withheld string   `json:"withheld,omitempty" jsonschema:"why there is no value"`
}

// computed adds what was measured in a recording.
func (r *motionRead) computed(m *client.Motion) {
	if m.Computed.Reason != nil {
		r.NoResult = m.Computed.Reason.Message
		return
	}
	r.Metrics = map[string]measured{}
	for _, e := range m.Computed.Events {
		r.Events = append(r.Events, eventRead{Label: e.Column, Time: e.Time, Source: "computed"})
	}
	for _, one := range m.Computed.Metrics {
		r.Metrics[one.Column] = measured{Value: one.Value, Text: text(one.Text), Unit: one.Unit, Source: "computed"}
	}
	for _, w := range m.Computed.Withheld {
		r.Metrics[w.Column] = measured{Withheld: w.Message}
	}
}

type metricsAsked struct {
	AthleteID string   `json:"athlete_id" jsonschema:"of find_athletes"`
	Activity  string   `json:"activity,omitempty" jsonschema:"only captures of this activity, such as jump"`
	Movement  string   `json:"movement,omitempty" jsonschema:"only captures of this movement, such as countermovement"`
	Metrics   []string `json:"metrics,omitempty" jsonschema:"names, such as jump_height; all metrics without it"`
	From      string   `json:"from,omitempty" jsonschema:"only captures of this time or later: 2026-05-01 or 2026-05-01T08:00:00Z"`
	To        string   `json:"to,omitempty" jsonschema:"only captures before this time"`
	Last      int      `json:"last,omitempty" jsonschema:"how many of the latest captures, 1 to 50; 10 without it"`
}

type metricsRead struct {
	Captures []capturesMetrics `json:"captures" jsonschema:"the newest first"`
	Total    int64             `json:"total" jsonschema:"how many captures there are"`
}

type capturesMetrics struct {
	SessionID   string              `json:"session_id"`
	Activity    string              `json:"activity,omitempty"`
	Movement    string              `json:"movement,omitempty"`
	Dimensions  map[string]string   `json:"dimensions,omitempty"`
	CaptureTime *time.Time          `json:"capture_time,omitempty"`
	Metrics     map[string]measured `json:"metrics"`
}

func (t *tools) readMetrics(ctx context.Context, ask metricsAsked) (metricsRead, error) {
	from, to, err := within(ask.From, ask.To)
	if err != nil {
		return metricsRead{}, err
	}
	last := atMost(ask.Last, 10, 50)
	filter := client.MetricsFilter{Activity: ask.Activity, Movement: ask.Movement, Metrics: ask.Metrics, From: from,
		To: to, Limit: last}
	page, err := t.server.ListMetrics(ctx, ask.AthleteID, filter)
	if err == nil && page.TotalCount > int64(last) { // the oldest come first
		filter.Offset = page.TotalCount - int64(last)
		page, err = t.server.ListMetrics(ctx, ask.AthleteID, filter)
	}
	if err != nil {
		return metricsRead{}, err
	}
	read := metricsRead{Captures: []capturesMetrics{}, Total: page.TotalCount}
	for _, c := range slices.Backward(page.Captures) {
		one := capturesMetrics{c.SessionID, text(c.Activity), text(c.Movement), c.Dimensions, c.CaptureTime,
			map[string]measured{}}
		for name, m := range c.Metrics {
			one.Metrics[name] = measured{Value: m.Value, Text: text(m.Text), Unit: m.Unit, Source: m.Source,
				Withheld: text(m.Message)}
		}
		read.Captures = append(read.Captures, one)
	}
	return read, nil
}

type movementAsked struct {
	Activity string `json:"activity" jsonschema:"such as jump"`
	Movement string `json:"movement,omitempty" jsonschema:"such as countermovement; all movements of the activity, by title alone, without it"`
}

type movementsRead struct {
	Movements []movementRead `json:"movements"`
}

type movementRead struct {
	Activity    string       `json:"activity"`
	Movement    string       `json:"movement"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	Protocol    string       `json:"protocol,omitempty" jsonschema:"how it is recorded"`
	Columns     []columnRead `json:"columns,omitempty"`
}

type columnRead struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind" jsonschema:"event or metric"`
	Unit       string   `json:"unit,omitempty"`
	Title      string   `json:"title"`
	Definition string   `json:"definition"`
	Better     string   `json:"better,omitempty" jsonschema:"higher or lower"`
	Accuracy   string   `json:"accuracy,omitempty"`
	Sources    []string `json:"sources,omitempty" jsonschema:"where the definition was published"`
}

func (t *tools) describeMovement(ctx context.Context, ask movementAsked) (movementsRead, error) {
	library, err := t.server.Movements(ctx, ask.Activity, ask.Movement)
	if err != nil {
		return movementsRead{}, err
	}
	if len(library.Movements) == 0 {
		return movementsRead{}, fmt.Errorf("the library of movements has no %s; without a movement it lists those of "+
			"an activity, such as jump", strings.TrimSuffix(ask.Activity+"/"+ask.Movement, "/"))
	}
	read := movementsRead{Movements: []movementRead{}}
	for _, m := range library.Movements {
		one := movementRead{Activity: m.Activity, Movement: m.Movement, Title: m.Title, Description: m.Description}
		if ask.Movement != "" {
			one.Protocol = m.Protocol
			for _, c := range m.Columns {
				one.Columns = append(one.Columns, columnOf(c))
			}
		}
		read.Movements = append(read.Movements, one)
	}
	return read, nil
}

func columnOf(c client.MovementColumn) columnRead {
	read := columnRead{Name: c.Name, Kind: c.Kind, Unit: c.Unit, Title: c.Title, Definition: c.Definition,
		Better: c.Better}
	for _, m := range c.Methods {
		if read.Accuracy == "" {
			read.Accuracy = m.Accuracy
		}
		for _, s := range m.Sources {
			if !slices.Contains(read.Sources, s.Citation) {
				read.Sources = append(read.Sources, s.Citation)
			}
		}
	}
	return read
}
