package sending

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/upload"
)

// whole is up to how many bytes a file is sent at once, by a form: one that breaks off is not dear.
const whole = 1 << 20

// wholeTime is how long that may take, on a line of 4 kB a second.
const wholeTime = 5 * time.Minute

// attempts is how many reservations are made for a file that somebody ends.
const attempts = 3

// Take sends a file, unless it is there, and waits until the server has read it.
func (s *Server) Take(ctx context.Context, f intake.Found) (*intake.Capture, error) {
	made, err := s.take(ctx, f)
	var refused *client.Error
	if errors.As(err, &refused) && refusesFile(refused.Status) {
		err = intake.Unfit("is not taken: " + sentence(refused))
	} else if isFault(err) {
		var why *fault.Error
		errors.As(err, &why)
		err = intake.Unfit("is not taken: " + why.Message)
	}
	return made, err
}

// refusesFile says whether a status is about the file, and not about everything that will follow.
func refusesFile(status int) bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusGone, http.StatusNotFound,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}, status)
}

func (s *Server) take(ctx context.Context, f intake.Found) (*intake.Capture, error) {
	there, err := s.find(ctx, f)
	if err != nil {
		return nil, err
	}
	effect := manifest.Created
	if there.taken != nil {
		changed, err := s.relabel(ctx, there.taken, f)
		if err != nil {
			return nil, err
		}
		if effect = manifest.Unchanged; changed {
			effect = manifest.Updated
		}
	}
	if f.Dry {
		if effect != manifest.Unchanged {
			if err := s.wouldTake(ctx, f); err != nil {
				return nil, err
			}
		}
		return shown(f, there.taken, effect), nil
	}
	id, brought := "", false
	if there.taken != nil {
		id = there.taken.SessionID
	} else if id, brought, err = s.bring(ctx, f, there); err != nil {
		return nil, err
	} else if !brought { // another command has sent it at the same time
		effect = manifest.Unchanged
	}
	m, err := s.read(ctx, f, id)
	if err != nil {
		return nil, err
	}
	if effect == manifest.Created { // what is only right of a file that does not know its time
		if _, err := s.timed(ctx, m, f); err != nil {
			return nil, err
		}
	}
	return shown(f, m, effect), nil
}

// bring reserves a place for the file, and sends it. brought is false where the file came by somebody else.
func (s *Server) bring(ctx context.Context, f intake.Found, there group) (id string, brought bool, err error) {
	for attempt := 1; ; attempt++ {
		r, err := s.reserve(ctx, f, there)
		if err != nil {
			return "", false, err
		}
		brought, err := s.send(ctx, f, r)
		switch status := statusOf(err); {
		case err == nil:
			return r.SessionID, brought, nil
		case status != http.StatusGone && status != http.StatusNotFound || attempt == attempts:
			s.end(ctx, r)
			return "", false, err
		}
		// Somebody has ended it, or nobody came for too long: another one begins.
		if there, err = s.find(ctx, f); err != nil {
			return "", false, err
		}
		if there.taken != nil {
			return there.taken.SessionID, false, nil
		}
	}
}

// end gives up a reservation of a file that will not come.
func (s *Server) end(ctx context.Context, r *client.Reservation) {
	if ctx.Err() == nil && r.ResumableURL != "" { // an interrupted one goes on the next time
		_ = s.client.EndUpload(ctx, r.ResumableURL) // otherwise its time runs out
	}
}

// reserve keeps a place in the file's group. The same reservation is given to the same file, for a day: a file that
// was under way goes on.
func (s *Server) reserve(ctx context.Context, f intake.Found, there group) (*client.Reservation, error) {
	n := asked(f)
	// The key is made of the request: a changed one is another reservation, which replaces the one that still
	// awaits its file.
	said, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(said)
	key := "kinebase import " + f.ID + " " + hex.EncodeToString(sum[:8])
	if err := s.drop(ctx, there.dead); err != nil {
		return nil, err
	}
	ask := func() (r *client.Reservation, err error) {
		err = s.once(ctx, key, func(key client.CallOption) error {
			r, err = s.client.Reserve(ctx, n, key)
			return err
		})
		return r, err
	}
	r, err := ask()
	if statusOf(err) == http.StatusConflict && len(there.awaited) > 0 { // it was reserved for other athletes
		if err := s.drop(ctx, there.awaited); err != nil {
			return nil, err
		}
		r, err = ask()
	} else if err == nil {
		err = s.drop(ctx, slices.DeleteFunc(there.awaited, func(id string) bool { return id == r.SessionID }))
	}
	return r, err
}

// asked is what a reservation of a file says of it.
func asked(f intake.Found) client.NewCapture {
	n := client.NewCapture{AthleteIDs: f.Given.AthleteIDs, GroupID: f.ID, Dimensions: f.Given.Dimensions,
		FileName: f.Name}
	if f.Given.Activity != nil {
		n.Activity = *f.Given.Activity
	}
	if f.Given.Movement != nil {
		n.Movement = *f.Given.Movement
	}
	if f.Size > whole {
		n.FileSize = f.Size
	}
	if upload.IsVideo(f.Name) {
		n.Camera = map[string]any{}
	}
	return n
}

// drop deletes captures of the file's group that have no file.
func (s *Server) drop(ctx context.Context, ids []string) error {
	for _, id := range ids {
		err := s.steady(ctx, nil, func() error {
			_, err := s.client.DeleteCapture(ctx, id)
			return err
		})
		if err != nil && statusOf(err) != http.StatusNotFound {
			return err
		}
	}
	return nil
}

// send sends the file to a place that is kept for it. brought is false where the last of it came by somebody else, or
// by a command that was stopped.
func (s *Server) send(ctx context.Context, f intake.Found, r *client.Reservation) (brought bool, err error) {
	if r.ResumableURL == "" {
		return s.sendWhole(ctx, f, r)
	}
	most, came := int64(-1), false
	err = s.steady(ctx, func() bool { defer func() { came = false }(); return came }, func() (err error) {
		brought, err = s.client.BringResumable(ctx, r.ResumableURL, f.File, func(sent int64) {
			f.Moved(sent)
			if most >= 0 && sent > most {
				came = true
			}
			most = max(most, sent)
		})
		return err
	})
	return brought, err
}

// sendWhole sends the file by the form.
func (s *Server) sendWhole(ctx context.Context, f intake.Found, r *client.Reservation) (brought bool, err error) {
	tries := 0
	err = s.steady(ctx, nil, func() error {
		tries++
		ctx, cancel := context.WithTimeout(ctx, wholeTime)
		defer cancel()
		return s.client.Upload(ctx, r, io.NewSectionReader(f.File, 0, f.Size))
	})
	brought = err == nil
	if statusOf(err) == http.StatusConflict { // it has come
		m, failed := s.member(ctx, f, r.SessionID)
		if failed != nil {
			return false, failed
		}
		if m != nil && m.Status != client.AwaitingUpload {
			brought, err = tries > 1, nil // by an earlier try whose answer was lost, or by somebody else
		}
	}
	if err == nil {
		f.Moved(f.Size)
	}
	return brought, err
}
