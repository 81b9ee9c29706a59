package store

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// A capture that has, or waits for, a file has a row in recording: what the file
// is called, where its bytes and tables lie, what was read out of it, and who is
// at it.

// recording is that row.
type recording struct {
	upload.Stored // without Capture
	camera        string
	stale         bool    // it is to be measured once more, and its tables moved where its labels have changed
	warnings      *int64  // how many Info has; nil: not counted yet, or there is no Info
	derivedBytes  int64   // of Derived; below 0: nobody has measured it
	tableBytes    int64   // of Table and Samples together; the same
	measured      []byte  // the part of Info that frames.Shorten gives; nil: not made yet, or there is none
	computedBy    *string // by which version of the library Info was computed; nil: not looked up yet, or there is no Info
	lease
}

const recordingColumns = `file_name, camera, time_given, expires_at, original, size, sha256, derived, motion_table, samples, info, rate, stale, attempt, deaths, lease, version, warnings, derived_bytes, table_bytes, computed_by, measured`

func (r *recording) scan(row rows) error {
	var expires, stale int64
	err := row.Scan(&r.FileName, &r.camera, (*int64)(&r.TimeFrom), &expires, &r.Original, &r.Size, &r.SHA256, &r.Derived, &r.Table, &r.Samples, &r.Info, &r.Rate, &stale, &r.attempt, &r.deaths, &r.until, &r.Version, &r.warnings, &r.derivedBytes, &r.tableBytes, &r.computedBy, &r.measured)
	r.stale, r.Expires = stale != 0, fromMicros(expires)
	return err
}

func (r *recording) values() []any {
	flag := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	if r.warnings == nil {
		r.warnings = countWarnings(r.Info)
	}
	if r.computedBy == nil {
		r.computedBy = computedBy(r.Info)
	}
	if r.measured == nil {
		r.measured = frames.Shorten(r.Info)
	}
	return []any{r.FileName, r.camera, int64(r.TimeFrom), micros(r.Expires), r.Original, r.Size, r.SHA256, r.Derived, r.Table, r.Samples, r.Info, r.Rate, flag(r.stale), r.attempt, int64(r.deaths), r.until, r.Version, r.warnings, r.derivedBytes, r.tableBytes, r.computedBy, r.measured}
}

// learn replaces what is known of the recording.
func (r *recording) learn(info []byte) { r.Info, r.computedBy, r.measured = info, nil, nil }

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

func insertRecording(org id, session string, r *recording) statement {
	r.Version = 1
	return exec(`INSERT INTO recording (organization, session_id, `+recordingColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
		append([]any{org, session}, r.values()...)...)
}

func updateRecording(org id, session string, r *recording) statement {
	r.Version++
	return exec(`UPDATE recording SET file_name = $3, camera = $4, time_given = $5, expires_at = $6, original = $7, size = $8, sha256 = $9, derived = $10, motion_table = $11, samples = $12,
info = $13, rate = $14, stale = $15, attempt = $16, deaths = $17, lease = $18, version = $19, warnings = $20, derived_bytes = $21, table_bytes = $22, computed_by = $23, measured = $24 WHERE organization = $1 AND session_id = $2`,
		append([]any{org, session}, r.values()...)...)
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
	err = w.do(each(func(row rows) error {
		r = new(recording)
		return r.scan(row)
	}, `SELECT `+recordingColumns+` FROM recording WHERE organization = $1 AND session_id = $2 FOR UPDATE`, w.org, session))
	if r != nil {
		r.Capture = c.Capture
	}
	return c, r, err
}

// Stored gives what is known of a capture's file.
func (s *Store) Stored(ctx context.Context, sc organization.Scope, sessionID string) (upload.Stored, error) {
	org, err := scope(sc)
	if err != nil {
		return upload.Stored{}, err
	}
	var r recording
	err = s.engine.read(ctx, org, func(t tx) error {
		r = recording{}
		c, err := readCapture(t, org, sessionID)
		if err != nil {
			return err
		}
		if err := t.do(each(r.scan, `SELECT `+recordingColumns+` FROM recording WHERE organization = $1 AND session_id = $2`, org, sessionID)); err != nil {
			return err
		}
		r.Capture = c
		return nil
	})
	return r.Stored, tell(err)
}

// readCapture reads one without locking it.
func readCapture(t tx, org id, session string) (capture.Capture, error) {
	var c storedCapture
	err := t.do(one(c.into(), `SELECT `+captureColumns+` FROM capture WHERE organization = $1 AND session_id = $2`, org, session))
	if errors.Is(err, errNoRow) {
		return capture.Capture{}, noCapture()
	}
	if err != nil {
		return capture.Capture{}, err
	}
	if err := c.settle(); err != nil {
		return capture.Capture{}, err
	}
	err = t.do(each(func(r rows) error {
		var athlete id
		if err := r.Scan(&athlete); err != nil {
			return err
		}
		if athlete != (id{}) {
			c.AthleteIDs = append(c.AthleteIDs, athlete.String())
		}
		return nil
	}, `SELECT athlete FROM capture_row WHERE organization = $1 AND sort_time = $2 AND session_id = $3 ORDER BY place`, org, c.Key().Time, session))
	return c.Capture, err
}
