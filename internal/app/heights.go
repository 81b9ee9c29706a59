package app

import (
	"context"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Athletes knows how tall people are.
type Athletes interface {
	Athlete(ctx context.Context, s organization.Scope, athleteID string) (athlete.Athlete, error)
}

// WithHeights is a reader that is told how tall the athlete is whose movement it reads.
func WithHeights(reader upload.Reader, athletes Athletes) upload.Reader {
	return tall{reader, athletes}
}

type tall struct {
	upload.Reader
	athletes Athletes
}

const inch = 0.0254 // m

// Read reads the file. Of several athletes nobody knows whose height would count.
func (t tall) Read(ctx context.Context, s organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	if len(of.Athletes) == 1 && (upload.IsVideo(of.Name) || upload.IsCameras(of.Name)) {
		a, err := t.athletes.Athlete(ctx, s, of.Athletes[0])
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		of.Height = float64(a.Height) * inch
	}
	return t.Reader.Read(ctx, s, of, f)
}
