package mcp

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/kinebase/kinebase/client"
)

type capturesAsked struct {
	AthleteID string `json:"athlete_id,omitempty" jsonschema:"only captures of this athlete, by id"`
	Activity  string `json:"activity,omitempty" jsonschema:"only captures of this activity, such as jump"`
	Movement  string `json:"movement,omitempty" jsonschema:"only captures of this movement, such as countermovement"`
	Text      string `json:"text,omitempty" jsonschema:"only captures with this in the file's name, the session id, a label or a linked athlete's name"`
	From      string `json:"from,omitempty" jsonschema:"only captures of this time or later: 2026-05-01 or 2026-05-01T08:00:00Z"`
	To        string `json:"to,omitempty" jsonschema:"only captures before this time"`
	Limit     int    `json:"limit,omitempty" jsonschema:"how many to give, 1 to 100; 20 without it"`
	Offset    int64  `json:"offset,omitempty" jsonschema:"next_offset of the answer before"`
}

type capturesFound struct {
	Captures   []captureFound `json:"captures"`
	Total      int64          `json:"total"`
	NextOffset *int64         `json:"next_offset,omitempty" jsonschema:"where the next captures begin; missing at the end"`
}

type captureFound struct {
	SessionID   string            `json:"session_id"`
	AthleteID   string            `json:"athlete_id,omitempty"`
	AthleteName string            `json:"athlete_name,omitempty"`
	Activity    string            `json:"activity,omitempty"`
	Movement    string            `json:"movement,omitempty"`
	Dimensions  map[string]string `json:"dimensions,omitempty"`
	CaptureTime *time.Time        `json:"capture_time,omitempty"`
	Status      string            `json:"status" jsonschema:"only what is completed has motion and metrics"`
	Error       string            `json:"error,omitempty"`
	FileName    string            `json:"file_name,omitempty"`
	Warnings    int64             `json:"warnings,omitempty" jsonschema:"how many; read_capture tells them"`
}

func (t *tools) listCaptures(ctx context.Context, ask capturesAsked) (capturesFound, error) {
	from, to, err := within(ask.From, ask.To)
	if err != nil {
		return capturesFound{}, err
	}
	page, err := t.server.ListCaptures(ctx, client.CaptureFilter{
		AthleteID: ask.AthleteID, Activity: ask.Activity, Movement: ask.Movement, Search: ask.Text, CapturedFrom: from,
		CapturedTo: to,
		Limit:      atMost(ask.Limit, 20, 100), Offset: ask.Offset,
		Include: []string{"file", "athlete", "warnings", "next"},
	})
	if err != nil {
		return capturesFound{}, err
	}
	found := capturesFound{Captures: []captureFound{}, Total: page.TotalCount, NextOffset: page.NextOffset}
	for _, c := range page.Captures {
		found.Captures = append(found.Captures, captureOf(c))
	}
	return found, nil
}

func captureOf(c client.Capture) captureFound {
	found := captureFound{
		SessionID: c.SessionID, AthleteID: text(c.AthleteID), AthleteName: text(c.AthleteName),
		Activity: text(c.Activity), Movement: text(c.Movement),
		Dimensions: c.Dimensions, CaptureTime: c.CaptureTime, Status: c.Status, Error: text(c.Error),
		FileName: text(c.FileName),
	}
	if c.WarningCount != nil {
		found.Warnings = *c.WarningCount
	}
	return found
}

type captureAsked struct {
	SessionID string `json:"session_id" jsonschema:"of the capture"`
}

type captureRead struct {
	captureFound
	Motion *motionRead `json:"motion,omitempty" jsonschema:"missing while there is none"`
}

type motionRead struct {
	Rate     *float64            `json:"rate,omitempty" jsonschema:"frames a second"`
	Frames   int                 `json:"frames"`
	Duration float64             `json:"duration" jsonschema:"seconds"`
	Channels []channelRead       `json:"channels"`
	Events   []eventRead         `json:"events,omitempty"`
	Metrics  map[string]measured `json:"metrics,omitempty"`
	NoResult string              `json:"no_result,omitempty" jsonschema:"why nothing was measured"`
	Warnings []string            `json:"warnings,omitempty"`
	Unknown  []string            `json:"unknown,omitempty" jsonschema:"what motion of a video does not know, such as scale"`
}

type channelRead struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind" jsonschema:"point, angle, force, moment, power, scalar, vector, analog or rotation"`
	Unit    string   `json:"unit,omitempty" jsonschema:"missing where it is not known"`
	Missing float64  `json:"missing,omitempty" jsonschema:"per cent of its samples"`
	Columns []string `json:"columns" jsonschema:"what read_channels calls columns"`
}

type eventRead struct {
	Label   string  `json:"label"`
	Context string  `json:"context,omitempty"`
	Time    float64 `json:"time" jsonschema:"seconds"`
	Source  string  `json:"source" jsonschema:"file or computed"`
}

func (t *tools) readCapture(ctx context.Context, ask captureAsked) (captureRead, error) {
	c, err := t.server.Capture(ctx, ask.SessionID)
	if err != nil {
		return captureRead{}, err
	}
	read := captureRead{captureFound: captureOf(*c)}
	m, err := t.server.Motion(ctx, ask.SessionID)
	var refused *client.Error
	if errors.As(err, &refused) && (refused.Status == http.StatusConflict || refused.Status == http.StatusNotFound) {
		return read, nil // the capture has none
	}
	if err != nil {
		return captureRead{}, err
	}
	read.FileName, read.Warnings = m.FileName, int64(len(m.Warnings))
	read.Motion = motionOf(m)
	return read, nil
}

func motionOf(m *client.Motion) *motionRead {
	read := &motionRead{Rate: m.Rate, Frames: m.Frames, Duration: m.Duration, Channels: []channelRead{},
		Unknown: m.Unknown}
	for _, c := range m.Channels {
		read.Channels = append(read.Channels, channelRead{c.Name, c.Kind, c.Unit, c.Missing, c.Columns})
	}
	for _, e := range m.Events {
		read.Events = append(read.Events, eventRead{e.Label, e.Context, e.Time, "file"})
	}
	for _, w := range m.Warnings {
		read.Warnings = append(read.Warnings, w.Message)
	}
	if m.Computed != nil {
		read.computed(m)
	}
	return read
}
