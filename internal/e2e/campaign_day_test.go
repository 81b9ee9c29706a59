//go:build campaign

package e2e

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// dayFrames is how long the recording of a day is.
const dayFrames = 40

// day is what a laboratory does in a day, while things fail. Each call is sent until it is
// answered with a success; what may come instead is a refusal that says to come back, or
// no answer where the server dies. In the end everything is as if nothing had failed.
type day struct {
	t      *testing.T
	client *client.Client
	number int
	mortal bool   // the server may die, so a call may have no answer
	relief func() // called once something was refused often; nil for nothing

	refused, silent atomic.Int64
	athlete         string
	session         string
}

// often is after how many refusals of one call relief is called.
const often = 4

// live goes through the day. At its end the day's people and captures are deleted again.
func (d *day) live() {
	d.t.Helper()
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 3), Frames: dayFrames})
	name := fmt.Sprintf("Day %d", d.number)
	key := func(what string) client.CallOption {
		return client.IdempotencyKey(fmt.Sprintf("%s %d", what, d.number))
	}

	d.athlete = told(d, "an athlete is created", func(ctx context.Context) (*client.WrittenAthlete, error) {
		return d.client.CreateAthlete(ctx,
			client.AthleteFields{FirstName: &name, CustomAttributes: map[string]string{"day": strconv.Itoa(d.number)}},
			key("athlete"))
	}).ID
	reservation := told(d, "a place is reserved", func(ctx context.Context) (*client.Reservation, error) {
		return d.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d", AthleteIDs: []string{d.athlete},
			Activity: "Gait", Movement: "Walk"}, key("capture"))
	})
	d.session = reservation.SessionID
	d.send(reservation, file)
	d.await("completed")
	d.readBack(file)
	told(d, "the labels are corrected", func(ctx context.Context) (*client.Capture, error) {
		return d.client.Correct(ctx, d.session, client.Correction{Activity: ptr("Jump"), Movement: ptr(name)})
	})
	last := "Later"
	told(d, "the athlete is changed", func(ctx context.Context) (*client.WrittenAthlete, error) {
		return d.client.UpdateAthlete(ctx, d.athlete, client.AthleteFields{LastName: &last}, key("change"))
	})
	d.exported(name)
	d.listed(name, last)
	d.erased()
}

// told repeats a call until it succeeds, and gives its answer.
func told[T any](d *day, what string, call func(context.Context) (T, error)) (answer T) {
	d.t.Helper()
	refusals := 0
	testkit.Until(d.t, what, func() bool {
		v, err := call(d.t.Context())
		if err == nil {
			answer = v
			return true
		}
		d.bears(what, err)
		if refusals++; refusals == often && d.relief != nil {
			d.relief()
		}
		return d.t.Failed()
	})
	return answer
}

// bears judges an error: a 503 with its manners, and where the server may die silence.
func (d *day) bears(what string, err error) {
	d.t.Helper()
	switch code := status(err); {
	case code == 503:
		d.refused.Add(1)
		if wrong := unavailable(err); wrong != nil {
			d.t.Errorf("day %d, %s: %v", d.number, what, wrong)
		}
	case code == 0 && d.mortal:
		d.silent.Add(1)
	default:
		d.t.Errorf("day %d, %s: %v", d.number, what, err)
	}
}

// send uploads the file. A bucket answers the form itself, in words of its own, and a form
// whose file was taken without an answer is refused the second time.
func (d *day) send(r *client.Reservation, file []byte) {
	d.t.Helper()
	tries := 0
	testkit.Until(d.t, "the file is taken", func() bool {
		err := d.client.Upload(d.t.Context(), r, bytes.NewReader(file))
		if err == nil {
			return true
		}
		if tries++; tries == often && d.relief != nil {
			d.relief()
		}
		c, readErr := d.client.Capture(d.t.Context(), d.session)
		return readErr == nil && c.Status != "awaiting_upload"
	})
}

// await asks until the capture has the status. Nothing but the failing machine stands in
// its way, so it must not end as an error.
func (d *day) await(want string) {
	d.t.Helper()
	polls := 0
	testkit.Until(d.t, "the capture is "+want, func() bool {
		c, err := d.client.Capture(d.t.Context(), d.session)
		if err != nil {
			d.bears("the capture is read", err)
			return d.t.Failed()
		}
		if polls++; polls == 20*often && d.relief != nil {
			d.relief()
		}
		if c.Status == "error" {
			d.t.Errorf("day %d: the capture ended as an error: %+v", d.number, c.Error)
		}
		return c.Status == want || d.t.Failed()
	})
}

// readBack holds the tables and the file against what was sent.
func (d *day) readBack(file []byte) {
	d.t.Helper()
	m := told(d, "the motion is told",
		func(ctx context.Context) (*client.Motion, error) { return d.client.Motion(ctx, d.session) })
	if m.Frames != dayFrames || len(m.Channels) != 3 {
		d.t.Errorf("day %d: %d frames and %d channels", d.number, m.Frames, len(m.Channels))
	}
	f := told(d, "frames are read", func(ctx context.Context) (*client.Frames, error) {
		return d.client.Frames(ctx, d.session, client.FrameQuery{})
	})
	if f.Frames != dayFrames || len(f.Columns["frame"]) != dayFrames {
		d.t.Errorf("day %d: the table has %d frames", d.number, f.Frames)
	}
	whole := told(d, "the file is read", func(ctx context.Context) ([]byte, error) {
		return d.body(d.client.File(ctx, d.session, client.FileQuery{}))
	})
	if !bytes.Equal(whole, file) {
		d.t.Errorf("day %d: the file came back as %d bytes of %d", d.number, len(whole), len(file))
	}
}

// errBroken is a body that broke off, which its reader notices.
var errBroken = errors.New("the body broke off")

// body reads all of an answer. One that breaks off is asked for again, as a 503 is.
func (d *day) body(f *client.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		d.silent.Add(1)
		return nil, &client.Error{Status: 503, Code: "ServiceUnavailable", Message: errBroken.Error(),
			RetryAfter: time.Second}
	}
	return all, nil
}

// exported holds the rows of an export of the day's capture against its frames.
func (d *day) exported(movement string) {
	d.t.Helper()
	for attempt := 0; ; attempt++ {
		job := told(d, "an export is asked for", func(ctx context.Context) (*client.ExportJob, error) {
			return d.client.CreateExport(ctx, client.NewExport{Movement: movement},
				client.IdempotencyKey(fmt.Sprintf("export %d.%d", d.number, attempt)))
		})
		d.ended(job)
		if job.Status == client.JobFailed && d.mortal && attempt < 2 {
			continue // of its third death an export fails, and says so
		}
		if job.Status != client.JobCompleted || job.RowCount == nil || *job.RowCount != dayFrames {
			d.t.Errorf("day %d: the export is %+v", d.number, job)
			return
		}
		text := told(d, "the rows are read", func(ctx context.Context) ([]byte, error) {
			return d.body(d.client.DownloadExport(ctx, job.ID, "text/csv"))
		})
		lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(lines) != dayFrames+1 {
			d.t.Errorf("day %d: the result has %d lines (%v)", d.number, len(lines), err)
		}
		return
	}
}

// ended waits until a job has ended, and brings what is known of it up to date.
func (d *day) ended(job *client.ExportJob) {
	d.t.Helper()
	polls := 0
	testkit.Until(d.t, "the export has ended", func() bool {
		now, err := d.client.ExportJob(d.t.Context(), job.ID)
		if err != nil {
			d.bears("the state of the export is read", err)
			return d.t.Failed()
		}
		*job = *now
		if polls++; polls == 20*often && d.relief != nil {
			d.relief()
		}
		return job.Status != client.JobRunning
	})
}

// listed finds the day's people and captures in lists and searches, and nothing twice.
func (d *day) listed(movement, last string) {
	d.t.Helper()
	captures := told(d, "captures are listed", func(ctx context.Context) (*client.CapturePage, error) {
		return d.client.ListCaptures(ctx, client.CaptureFilter{Movement: movement})
	})
	if captures.TotalCount != 1 || len(captures.Captures) != 1 || captures.Captures[0].SessionID != d.session {
		d.t.Errorf("day %d: the list has %+v", d.number, captures)
	}
	people := told(d, "athletes are listed", func(ctx context.Context) (*client.AthletePage, error) {
		return d.client.ListAthletes(ctx,
			client.AthleteFilter{Attributes: map[string]string{"day": strconv.Itoa(d.number)}})
	})
	found := 0
	for _, a := range people.Athletes {
		if a.ID == d.athlete && a.LastName != nil && *a.LastName == last {
			found++
		}
	}
	if found != 1 {
		d.t.Errorf("day %d: the search for its athlete finds %+v", d.number, people)
	}
}

// erased deletes the day's athlete with what it has. A deletion that is answered with 404
// was done by a call before, whose answer was lost.
func (d *day) erased() {
	d.t.Helper()
	told(d, "the athlete is deleted", func(ctx context.Context) (string, error) {
		id, err := d.client.DeleteAthlete(ctx, d.athlete)
		if status(err) == 404 {
			return d.athlete, nil
		}
		return id, err
	})
	told(d, "the capture is gone", func(ctx context.Context) (bool, error) {
		_, err := d.client.Capture(ctx, d.session)
		if status(err) == 404 {
			return true, nil
		}
		if err == nil {
			err = fmt.Errorf("the capture of a deleted athlete is there")
		}
		return false, err
	})
}
