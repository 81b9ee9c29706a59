package sending

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/manifest"
)

// errNoInterface ends an import whose address has nothing behind it.
var errNoInterface = errors.New("there is no interface at this address: that of a server ends in /v1")

// member is a capture of a file's group.
type member struct {
	client.Capture
	athletes []string
}

// group is what the server has of a file.
type group struct {
	taken   *member  // the capture that has the file; nil when none has
	awaited []string // captures that await it
	dead    []string // captures for which it never came
}

// members gives the captures of a file's group, in the order of their numbers.
func (s *Server) members(ctx context.Context, f intake.Found) ([]*member, error) {
	var page *client.CapturePage
	err := s.steady(ctx, nil, func() (err error) {
		page, err = s.client.ListCaptures(ctx, client.CaptureFilter{Search: f.ID, Limit: client.MaxLimit,
			Include: []string{"warnings", "time"}})
		return err
	})
	if statusOf(err) == http.StatusNotFound || noInterface(err) { // the whole interface, and not one file
		return nil, errNoInterface
	}
	if err != nil {
		return nil, err
	}
	var list []*member
	for _, row := range page.Captures { // a row for each athlete
		if number(f, row.SessionID) == 0 {
			continue
		}
		at := slices.IndexFunc(list, func(m *member) bool { return m.SessionID == row.SessionID })
		if at < 0 {
			at, list = len(list), append(list, &member{Capture: row})
		}
		if row.AthleteID != nil {
			list[at].athletes = append(list[at].athletes, *row.AthleteID)
		}
	}
	slices.SortFunc(list, func(a, b *member) int { return number(f, a.SessionID) - number(f, b.SessionID) })
	return list, nil
}

// number is that of a capture in the file's group, from 1; 0 for one of another group.
func number(f intake.Found, session string) int {
	rest, ok := strings.CutPrefix(session, f.ID+"_")
	n, err := strconv.Atoi(rest)
	if !ok || err != nil || n < 1 {
		return 0
	}
	return n
}

// member gives one of them; nil when it is gone.
func (s *Server) member(ctx context.Context, f intake.Found, session string) (*member, error) {
	all, err := s.members(ctx, f)
	if at := slices.IndexFunc(all, func(m *member) bool { return m.SessionID == session }); err == nil && at >= 0 {
		return all[at], nil
	}
	return nil, err
}

// find looks for the file on the server.
func (s *Server) find(ctx context.Context, f intake.Found) (g group, err error) {
	all, err := s.members(ctx, f)
	if err != nil {
		return g, err
	}
	for _, m := range all {
		switch m.Status {
		case client.AwaitingUpload:
			g.awaited = append(g.awaited, m.SessionID)
			continue
		case client.Failed:
			came, err := s.hasFile(ctx, m.SessionID)
			if err != nil {
				return g, err
			}
			if !came {
				g.dead = append(g.dead, m.SessionID)
				continue
			}
		}
		if g.taken == nil {
			g.taken = m
		}
	}
	return g, nil
}

// hasFile says whether a file came for a capture.
func (s *Server) hasFile(ctx context.Context, session string) (bool, error) {
	err := s.steady(ctx, nil, func() error {
		file, err := s.client.File(ctx, session, client.FileQuery{Length: 1})
		if err == nil {
			_ = file.Close() // nothing was wanted of it
		}
		return err
	})
	switch statusOf(err) {
	case http.StatusNotFound, http.StatusConflict:
		return false, nil
	case http.StatusRequestedRangeNotSatisfiable: // it is empty
		return true, nil
	}
	return err == nil, err
}

// read waits until the server has read the file of a capture.
func (s *Server) read(ctx context.Context, f intake.Found, session string) (*member, error) {
	for waits := 0; ; waits++ {
		m, err := s.member(ctx, f, session)
		switch {
		case err != nil:
			return nil, err
		case m == nil:
			return nil, fault.New(fault.NotFound, "it was deleted on the server while it was read there")
		case m.Status != client.AwaitingUpload && m.Status != client.Processing:
			return m, nil
		}
		if err := s.pause(ctx, min(firstPause+time.Duration(waits)*firstPause/2, longestPause/3)); err != nil {
			return nil, err
		}
	}
}

// relabel has what is said of a file now count for its capture too, and tells whether anything was otherwise.
func (s *Server) relabel(ctx context.Context, m *member, f intake.Found) (changed bool, err error) {
	var n client.Correction
	if given := f.Given.Activity; given != nil && (m.Activity == nil || *m.Activity != *given) {
		n.Activity, changed = given, true
	}
	if given := f.Given.Movement; given != nil && (m.Movement == nil || *m.Movement != *given) {
		n.Movement, changed = given, true
	}
	for name, value := range f.Given.Dimensions {
		if m.Dimensions[name] != value {
			n.Dimensions, changed = f.Given.Dimensions, true
		}
	}
	if changed && !f.Dry {
		if err := s.correct(ctx, m, n); err != nil {
			return false, err
		}
	}
	for _, later := range []func(context.Context, *member, intake.Found) (bool, error){s.timed, s.link} {
		more, err := later(ctx, m, f)
		if err != nil {
			return false, err
		}
		changed = changed || more
	}
	return changed, nil
}

// timed gives a capture the time that is said of its file, where the file did not know it.
func (s *Server) timed(ctx context.Context, m *member, f intake.Found) (changed bool, err error) {
	if f.Given.CaptureTime == nil || m.TimeFrom == nil || *m.TimeFrom != "upload" {
		return false, nil
	}
	if f.Dry {
		return true, nil
	}
	return true, s.correct(ctx, m, client.Correction{CaptureTime: f.Given.CaptureTime})
}

func (s *Server) correct(ctx context.Context, m *member, n client.Correction) error {
	return s.steady(ctx, nil, func() error {
		now, err := s.client.Correct(ctx, m.SessionID, n)
		if err == nil {
			warnings, from := m.WarningCount, m.TimeFrom
			if n.CaptureTime != nil {
				from = nil
			}
			m.Capture = *now
			m.WarningCount, m.TimeFrom = warnings, from
		}
		return err
	})
}

// link has a capture belong to those whom its file belongs to now.
func (s *Server) link(ctx context.Context, m *member, f intake.Found) (changed bool, err error) {
	want := f.Given.AthleteIDs
	if len(want) == 0 {
		return false, nil
	}
	var missing []string
	for _, id := range want {
		if !slices.Contains(m.athletes, id) {
			missing = append(missing, id)
		}
	}
	var surplus []string
	for _, id := range m.athletes {
		if !slices.Contains(want, id) {
			surplus = append(surplus, id)
		}
	}
	if len(missing)+len(surplus) == 0 {
		return false, nil
	}
	if f.Dry {
		return true, nil
	}
	for _, id := range surplus { // first, for a capture has 16 at most
		if err := s.steady(ctx, nil, func() error {
			_, err := s.client.Unlink(ctx, m.SessionID, id)
			return err
		}); err != nil && statusOf(err) != http.StatusNotFound {
			return false, err
		}
	}
	if len(missing) == 0 {
		return true, nil
	}
	return true, s.steady(ctx, nil, func() error {
		_, err := s.client.Link(ctx, m.SessionID, missing)
		return err
	})
}

// shown is a capture as an import tells of it.
func shown(f intake.Found, m *member, effect manifest.Effect) *intake.Capture {
	c := f.Given
	c.Status = capture.Completed
	made := &intake.Capture{Capture: &c, Effect: effect}
	if m == nil {
		return made
	}
	c.SessionID, c.Status, c.Error, c.FPSDetected = m.SessionID, capture.Status(m.Status), m.Error, m.FPSDetected
	if m.WarningCount != nil {
		made.Warnings = int(*m.WarningCount)
	}
	return made
}
