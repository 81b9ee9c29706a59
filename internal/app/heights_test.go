package app_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// told keeps what a reader was told.
type told struct {
	upload.Reader
	of upload.Source
}

func (r *told) Read(_ context.Context, _ organization.Scope, of upload.Source, _ upload.File) (*upload.Reading, error) {
	r.of = of
	return &upload.Reading{}, nil
}

type people map[string]int

var errSilent = errors.New("the store is silent")

func (p people) Athlete(_ context.Context, _ organization.Scope, id string) (athlete.Athlete, error) {
	if id == "silent" {
		return athlete.Athlete{}, errSilent
	}
	height, ok := p[id]
	if !ok {
		return athlete.Athlete{}, fault.New(fault.NotFound, "there is no such athlete")
	}
	return athlete.Athlete{Height: height}, nil
}

func TestAReaderOfVideosIsToldTheHeightOfTheOneAthlete(t *testing.T) {
	for name, c := range map[string]struct {
		file     string
		athletes []string
		height   float64
		err      error
	}{
		"one athlete":            {"a.MP4", []string{"tall"}, 1.778, nil},
		"a height is not known":  {"a.mp4", []string{"any"}, 0, nil},
		"two athletes":           {"a.mp4", []string{"tall", "any"}, 0, nil},
		"nobody":                 {"a.mov", nil, 0, nil},
		"somebody who is gone":   {"a.mp4", []string{"gone"}, 0, nil},
		"a file of markers":      {"a.c3d", []string{"tall"}, 0, nil},
		"nobody can say for now": {"a.mp4", []string{"silent"}, 0, errSilent},
	} {
		r := &told{}
		_, err := app.WithHeights(r, people{"tall": 70, "any": 0}).Read(t.Context(), organization.Scope{},
			upload.Source{Name: c.file, Athletes: c.athletes}, nil)
		if !errors.Is(err, c.err) || math.Abs(r.of.Height-c.height) > 1e-9 {
			t.Errorf("%s: %v m, %v", name, r.of.Height, err)
		}
	}
}
