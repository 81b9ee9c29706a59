package store

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// A capture that has, or waits for, a file has a row in recording: what the file
// is called, where its bytes and tables lie, what was read out of it, and who is
// at it.

// recording is that row.
type recording struct {
	upload.Stored        // without Capture
	stale         bool   // it is to be measured once more, and its tables moved where its labels have changed
	warnings      *int64 // how many Info has; nil: not counted yet, or there is no Info
	derivedBytes  int64  // of Derived; below 0: nobody has measured it
	tableBytes    int64  // of Table and Samples together; the same
	measured      []byte // the part of Info that frames.Shorten gives; nil: not made yet, or there is none
	// by which version of the library Info was computed; nil: not looked up yet, or there is no Info
	computedBy *string
	counted    *string // as what its columns are counted, see columnKey; nil: they were never counted
	learned    bool    // Info is another one than the one that was read
	lease
}

var recordings = db.NewTable("recording", []string{"organization", "session_id"},
	db.AsIs("file_name", func(r *recording) *string { return &r.FileName }),
	db.AsIs("camera", func(r *recording) *string { return &r.Camera }),
	db.AsIs("time_given", func(r *recording) *int64 { return (*int64)(&r.TimeFrom) }),
	db.Moment("expires_at", func(r *recording) *time.Time { return &r.Expires }),
	db.AsIs("original", func(r *recording) *string { return &r.Original }),
	db.AsIs("size", func(r *recording) *int64 { return &r.Size }),
	db.AsIs("sha256", func(r *recording) *string { return &r.SHA256 }),
	db.AsIs("derived", func(r *recording) *string { return &r.Derived }),
	db.AsIs("motion_table", func(r *recording) *string { return &r.Table }),
	db.AsIs("samples", func(r *recording) *string { return &r.Samples }),
	db.AsIs("info", func(r *recording) *[]byte { return &r.Info }),
	db.AsIs("rate", func(r *recording) *float64 { return &r.Rate }),
	db.Flag("stale", func(r *recording) *bool { return &r.stale }),
	db.AsIs("attempt", func(r *recording) *int64 { return &r.attempt }),
	db.AsIs("deaths", func(r *recording) *int { return &r.deaths }),
	db.AsIs("lease", func(r *recording) *int64 { return &r.until }),
	db.AsIs("version", func(r *recording) *int64 { return &r.Version }),
	db.AsIs("warnings", func(r *recording) **int64 { return &r.warnings }),
	db.AsIs("derived_bytes", func(r *recording) *int64 { return &r.derivedBytes }),
	db.AsIs("table_bytes", func(r *recording) *int64 { return &r.tableBytes }),
	db.AsIs("computed_by", func(r *recording) **string { return &r.computedBy }),
	db.AsIs("measured", func(r *recording) *[]byte { return &r.measured }),
	db.AsIs("counted", func(r *recording) **string { return &r.counted }),
	db.Moment("begun", func(r *recording) *time.Time { return &r.Processing.Begun }),
	db.Moment("told", func(r *recording) *time.Time { return &r.Processing.Told }),
	db.AsIs("done", func(r *recording) *float64 { return &r.Processing.Done }))

func (r *recording) scan(row db.Rows) error { return recordings.Scan(row, r) }

// known makes what follows from Info where nothing has made it yet.
func (r *recording) known() {
	if r.warnings == nil {
		r.warnings = countWarnings(r.Info)
	}
	if r.computedBy == nil {
		r.computedBy = computedBy(r.Info)
	}
	if r.measured == nil {
		r.measured = frames.Shorten(r.Info)
	}
}

// learn replaces what is known of the recording.
func (r *recording) learn(info []byte) {
	r.Info, r.computedBy, r.measured, r.learned = info, nil, nil, true
}

// files are the names of everything that the recording has.
func (r *recording) files() []string {
	var names []string
	for _, name := range []string{r.Original, r.Derived, r.Table, r.Samples} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// made is what the files take that were made of the original.
func (r *recording) made() int64 { return max(0, r.derivedBytes) + max(0, r.tableBytes) }

// insertRecording writes a recording of a capture that had none.
func (w *writeTx) insertRecording(session string, r *recording) error {
	r.Version, r.counted = 1, new("")
	r.known()
	if r.Info != nil {
		w.recount(session)
	}
	return w.Do(recordings.Inserted(r, w.Org, session))
}

// updateRecording writes over the recording that was read.
func (w *writeTx) updateRecording(session string, r *recording) error {
	r.Version++
	r.known()
	if r.learned {
		w.recount(session)
	}
	return w.Do(recordings.Updated(r, w.Org, session))
}

func noCapture() error { return fault.New(fault.NotFound, "there is no such capture") }

// lockRecording reads and locks a capture and its recording, which is nil when it
// never had a file. The capture is locked first, always.
func (s *Store) lockRecording(w *writeTx, session string) (*storedCapture, *recording, error) {
	found, err := s.loadCaptures(w, []string{session})
	if err != nil {
		return nil, nil, err
	}
	c := found[session]
	if c == nil {
		return nil, nil, noCapture()
	}
	var r *recording
	err = w.Do(db.Each(func(row db.Rows) error {
		r = new(recording)
		return r.scan(row)
	}, `SELECT `+recordings.List+` FROM recording WHERE organization = $1 AND session_id = $2 FOR UPDATE`, w.Org,
		session))
	if r != nil {
		r.Capture = c.Capture
	}
	return c, r, err
}

// Stored gives what is known of a capture's file.
func (s *Store) Stored(ctx context.Context, sc organization.Scope, sessionID string) (upload.Stored, error) {
	org := sc.Organization
	var r recording
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		r = recording{}
		c, err := readCapture(t, org, sessionID)
		if err != nil {
			return err
		}
		if err := t.Do(db.Each(r.scan, `SELECT `+recordings.List+
			` FROM recording WHERE organization = $1 AND session_id = $2`, org, sessionID)); err != nil {
			return err
		}
		r.Capture = c
		return nil
	})
	if r.left(s.now()) == 0 { // nobody is at it
		r.Processing = upload.Processing{}
	}
	return r.Stored, db.ToFault(err)
}

// readCapture reads one without locking it.
func readCapture(t db.Tx, org db.ID, session string) (capture.Capture, error) {
	var c storedCapture
	err := t.Do(db.One(c.into(), `SELECT `+captureColumns+` FROM capture WHERE organization = $1 AND session_id = $2`,
		org, session))
	if errors.Is(err, db.ErrNoRow) {
		return capture.Capture{}, noCapture()
	}
	if err != nil {
		return capture.Capture{}, err
	}
	if err := c.settle(); err != nil {
		return capture.Capture{}, err
	}
	err = t.Do(db.Each(func(r db.Rows) error {
		var athlete db.ID
		if err := r.Scan(&athlete); err != nil {
			return err
		}
		if athlete != (db.ID{}) {
			c.AthleteIDs = append(c.AthleteIDs, athlete.String())
		}
		return nil
	}, `SELECT athlete FROM capture_row WHERE organization = $1 AND sort_time = $2 AND session_id = $3 ORDER BY place`,
		org, c.Key().Time, session))
	return c.Capture, err
}
