package jobs

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// tailor has captures that nobody has measured, in one organization of two.
type tailor struct {
	upload.Readings
	organization.Store
	left []upload.Stored
	told map[string][2]int64
}

// full is the organization that has recordings.
var full = organization.ID{2}

func (t *tailor) Organizations(context.Context) ([]organization.Organization, error) {
	return []organization.Organization{{ID: organization.ID{1}}, {ID: full}}, nil
}

func (t *tailor) Unmeasured(_ context.Context, s organization.Scope, after string, limit int) (list []upload.Stored,
	err error) {
	for _, c := range t.left {
		if s.Organization == full && c.Capture.SessionID > after && len(list) < min(limit, 2) {
			list = append(list, c)
		}
	}
	return list, nil
}

func (t *tailor) Measured(_ context.Context, s organization.Scope, of upload.Stored, derived, tables int64) error {
	t.told[of.Capture.SessionID] = [2]int64{derived, tables}
	return nil
}

// cloth are files by their text; "away" cannot be looked at.
type cloth struct {
	upload.Files
	texts map[string]string
}

type piece struct {
	io.ReaderAt
	io.Closer
	size int64
}

func (p piece) Size() int64 { return p.size }

func (c cloth) Open(_ context.Context, name string) (upload.File, error) {
	text, there := c.texts[name]
	switch {
	case name == "away":
		return nil, errAway
	case !there:
		return nil, upload.ErrNoFile
	}
	return piece{strings.NewReader(text), io.NopCloser(nil), int64(len(text))}, nil
}

var errAway = errors.New("away")

func TestFilesOfWhichNobodyNotedTheSizeAreMeasuredAndOneThatCannotBeHoldsUpNoOther(t *testing.T) {
	stored := func(session, derived, table, samples string) (c upload.Stored) {
		c.Capture.SessionID, c.Derived, c.Table, c.Samples = session, derived, table, samples
		return c
	}
	d := &tailor{told: map[string][2]int64{}, left: []upload.Stored{
		stored("a", "", "t", ""), stored("b", "d", "t", "s"), stored("c", "", "away", ""),
		stored("d", "gone", "gone", ""), stored("e", "d", "", ""),
	}}
	o := Options{Organizations: d, Readings: d,
		Files: cloth{texts: map[string]string{"t": "123", "d": "12345", "s": "1"}}}
	if err := o.measureAll(t.Context()); !errors.Is(err, errAway) {
		t.Errorf("got %v", err)
	}
	for session, want := range map[string][2]int64{"a": {0, 3}, "b": {5, 4}, "d": {0, 0}, "e": {5, 0}} {
		if got, told := d.told[session]; !told || got != want {
			t.Errorf("%s: told %v, want %v", session, got, want)
		}
	}
	if len(d.told) != 4 {
		t.Errorf("told %v", d.told)
	}
}
