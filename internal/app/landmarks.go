package app

import (
	"context"

	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Namer knows how organizations call the points of their markers.
type Namer interface {
	Landmarks(ctx context.Context, s organization.Scope) (*movement.MarkerSet, error)
}

// WithNames is a reader that measures by the names that organizations give to points.
func WithNames(reader upload.Reader, names Namer) upload.Reader { return named{reader, names} }

type named struct {
	upload.Reader
	names Namer
}

// Read reads a file and measures it so.
func (n named) Read(ctx context.Context, s organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	if of.As != nil {
		as := *of.As
		var err error
		if as.Own, err = n.names.Landmarks(ctx, s); err != nil {
			return nil, err
		}
		of.As = &as
	}
	return n.Reader.Read(ctx, s, of, f)
}

// Measure does so.
func (n named) Measure(ctx context.Context, s organization.Scope, m upload.Measured, info []byte, table,
	samples upload.File) (_ []byte, err error) {
	if m.Own, err = n.names.Landmarks(ctx, s); err != nil {
		return nil, err
	}
	return n.Reader.Measure(ctx, s, m, info, table, samples)
}
