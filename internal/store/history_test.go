package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// The list answers from counts that are kept beside the rows. These tests run
// random histories (imports, changes of status, time, labels and links, deletes)
// with several writers, a second store on the same data and folds at work, and
// hold, all the while and in one snapshot each, total and page to a plain count
// over the captures themselves.

// history is a world of random captures.
type history struct {
	scope    organization.Scope
	athletes []string
	sessions int
	times    []time.Time // captures without a time, and many at one instant, are as likely as others
}

func newHistory(t *testing.T, s *Store, sessions int) *history {
	t.Helper()
	h := &history{scope: tenant(t, s, "History"), sessions: sessions}
	var records []manifest.Record
	for n := range 12 {
		a := athlete.Athlete{ID: organization.NewUUID(), FirstName: fmt.Sprintf("Athlete %d", n)}
		h.athletes = append(h.athletes, a.ID)
		records = append(records, manifest.Record{Athlete: &a})
	}
	if _, err := s.Import(context.Background(), h.scope, records, false); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	for n := range 40 {
		h.times = append(h.times, day.Add(time.Duration(n*n)*time.Hour))
	}
	return h
}

func (h *history) capture(r *rand.Rand) manifest.Record {
	c := &capture.Capture{
		SessionID: fmt.Sprintf("session-%d", r.IntN(h.sessions)),
		Status:    capture.Statuses[r.IntN(4)],
		Source:    []string{capture.SourceAPI, capture.SourceImport, "mobile"}[r.IntN(3)],
	}
	label := func(labels ...string) *string {
		if l := labels[r.IntN(len(labels))]; l != "" {
			return &l
		}
		return nil
	}
	c.Activity = label("", "jump", "Jump", " JUMP ", "golf", "Größe")
	c.Movement = label("", "squat", "Squat", "swing")
	if r.IntN(3) == 0 { // what a row says beside its labels changes without them
		fps := []float64{60, 119.88, 1000}[r.IntN(3)]
		c.FPSDetected = &fps
	}
	if r.IntN(4) == 0 {
		c.Error = label("no marker", "a \"quoted\" reason, \"capture_time\":null", "größe")
	}
	switch n := r.IntN(100); {
	case n < 25: // no time
	case n < 50:
		c.CaptureTime = &h.times[0]
	case n < 75:
		c.CaptureTime = &h.times[r.IntN(len(h.times))]
	default:
		at := h.times[r.IntN(len(h.times))].Add(time.Duration(r.IntN(1e6)) * time.Millisecond)
		c.CaptureTime = &at
	}
	for range []int{0, 1, 1, 1, 2, 3}[r.IntN(6)] {
		// One athlete gets most, so that its list outgrows counting by looking.
		a := h.athletes[min(r.IntN(40), len(h.athletes)-1)]
		if !slices.Contains(c.AthleteIDs, a) {
			c.AthleteIDs = append(c.AthleteIDs, a)
		}
	}
	return manifest.Record{Capture: c}
}

// insist tries again what a database refuses that is too busy, as any caller would: nothing was changed then.
func insist(do func() error) error {
	for {
		if err := do(); !fault.Is(err, fault.Unavailable) {
			return err
		}
	}
}

// step changes something, however busy the database is.
func (h *history) step(ctx context.Context, s *Store, r *rand.Rand) error {
	return insist(func() error { return h.change(ctx, s, r) })
}

func (h *history) change(ctx context.Context, s *Store, r *rand.Rand) error {
	switch n := r.IntN(100); {
	case n < 4: // an athlete goes, and comes back without captures
		a := h.athletes[r.IntN(len(h.athletes))]
		err := s.DeleteAthlete(ctx, h.scope, a, func(athlete.Athlete) error { return nil })
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		return insist(func() error {
			_, err := s.Import(ctx, h.scope, []manifest.Record{{Athlete: &athlete.Athlete{ID: a, FirstName: "Back"}}},
				false)
			return err
		})
	case n < 6: // one is called otherwise from now on
		a := h.athletes[r.IntN(len(h.athletes))]
		_, err := s.ChangeAthlete(ctx, h.scope, a, nil, func(old athlete.Athlete) (athlete.Athlete, error) {
			old.Version++
			old.FirstName = []string{"Böll", "ÅDA", "Jo", "Zoe 7"}[r.IntN(4)]
			old.LastName = []string{"", "Session", "Ώραῖος", "Rivera"}[r.IntN(4)]
			return old, nil
		})
		return ignoreMissing(err)
	case n < 16: // a file is to come, or has come under another name
		name := []string{"Trial 7.C3D", "größe_12.trc", "jump.mot", "SESSION-3.csv"}[r.IntN(4)]
		if c := h.capture(r).Capture; r.IntN(2) == 0 {
			c.SessionID = "" // it gets one
			_, err := s.Reserve(ctx, h.scope,
				upload.Reservation{Capture: *c, Group: organization.NewUUID(), FileName: name,
					Expires: time.Now().Add(time.Hour)}, nil)
			if fault.Is(err, fault.BadRequest) { // an athlete is away just now
				return nil
			}
			return err
		} else if err := s.Bring(ctx, h.scope, upload.Brought{Capture: *c, FileName: name}); err != nil &&
			!fault.Is(err, fault.BadRequest) {
			return err
		}
		return nil
	case n < 19:
		session := fmt.Sprintf("session-%d", r.IntN(h.sessions))
		return ignoreMissing(s.DeleteCapture(ctx, h.scope, session, func(string) error { return nil }))
	case n < 22:
		_, err := s.Import(ctx, h.scope, h.batch(r, 400), true) // a dry run leaves nothing
		return err
	default:
		size := 1
		if r.IntN(4) == 0 {
			size = 1 + r.IntN(200)
		}
		_, err := s.Import(ctx, h.scope, h.batch(r, size), false)
		return err
	}
}

func (h *history) batch(r *rand.Rand, n int) []manifest.Record {
	records := make([]manifest.Record, n)
	for i := range records {
		records[i] = h.capture(r)
	}
	return records
}

func (h *history) query(r *rand.Rand) capture.Query {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	q := capture.Query{Limit: []int{1, 7, 100, 500}[r.IntN(4)]}
	q.Filter.Source = pick("", "", "api", "import")
	q.Filter.Status = capture.Status(pick("", "", "completed", "error", "processing"))
	q.Filter.Activity = pick("", "", "jump", "größe", "nothing")
	q.Filter.Movement = pick("", "", "squat", "swing")
	if r.IntN(3) == 0 {
		q.AthleteID = h.athletes[min(r.IntN(20), len(h.athletes)-1)]
	}
	if r.IntN(2) == 0 {
		q.Search = search.Fold(pick("session", "n-7", "N-123", "s", "7", "0", "-", "jump", "ump", "größe", "TRIAL",
			".c3d", "no such", "böll", "åd", "Böll Se", "ώρα", "ΏΡΑΊΟΣ", "athlete 1", "\xf0\x9f\x98\x80", "e",
			"session-3"))
	}
	if r.IntN(2) == 0 {
		q.Captured = h.captured(r)
	}
	q.Oldest = r.IntN(3) == 0
	if r.IntN(4) > 0 {
		q.Offset = int64(r.IntN(h.sessions * 3 / 2))
	}
	return q
}

// captured gives a range of capture time, with bounds at, beside and far from those of captures.
func (h *history) captured(r *rand.Rand) capture.Range {
	bound := func() time.Time {
		at := h.times[r.IntN(len(h.times))]
		switch r.IntN(4) {
		case 0:
			return at
		case 1:
			return at.Add(time.Duration(r.IntN(3)-1) * time.Microsecond)
		case 2:
			return at.Add(time.Duration(r.IntN(1e6)) * time.Millisecond)
		}
		return []time.Time{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)}[r.IntN(2)]
	}
	from, to := bound(), bound()
	for !from.Before(to) {
		from, to = bound(), bound()
	}
	return []capture.Range{capture.RangeOf(&from, &to), capture.RangeOf(&from, nil),
		capture.RangeOf(nil, &to)}[r.IntN(3)]
}

// plainRow is a row as the plain count sees it.
type plainRow struct {
	key     capture.Key
	athlete db.ID
	body    string
}

// plain reads a list the plain way: all captures, one by one.
func plain(t db.Tx, org db.ID, q capture.Query) (captures int64, list []plainRow, err error) {
	only, _ := organization.ParseID(q.AthleteID)
	type plainCapture struct {
		time    int64
		matches bool
		rows    int
	}
	all := map[string]*plainCapture{}
	texts := map[string][]string{} // of each capture
	err = t.Do(db.Each(func(r db.Rows) error {
		var session, first, last string
		if err := r.Scan(&session, &first, &last); err != nil {
			return err
		}
		texts[session] = append(texts[session], fullName(first, last))
		return nil
	}, `SELECT r.session_id, a.first_name, a.last_name FROM capture_row r JOIN athlete a ON a.organization = r.organization AND a.id = r.athlete WHERE r.organization = $1`, org), db.Each(func(r db.Rows) error {
		var session, name string
		if err := r.Scan(&session, &name); err != nil {
			return err
		}
		texts[session] = append(texts[session], name)
		return nil
	}, `SELECT session_id, file_name FROM recording WHERE organization = $1`, org), db.Each(func(r db.Rows) error {
		var session, status string
		c := new(plainCapture)
		k := capture.Capture{}
		if err := r.Scan(&session, &c.time, &k.Source, &status, &k.Activity, &k.Movement); err != nil {
			return err
		}
		k.Status = capture.Status(status)
		has := func(text string) bool { return strings.Contains(athlete.Fold(text), q.Search) }
		c.matches = q.Filter.Match(k.Combination()) && q.Captured.Holds(capture.Key{Time: c.time}) &&
			(has(session) || k.Activity != nil && has(*k.Activity) || k.Movement != nil && has(*k.Movement) ||
				slices.ContainsFunc(texts[session], has))
		all[session] = c
		return nil
	}, `SELECT session_id, sort_time, source, status, activity, movement FROM capture WHERE organization = $1`, org),
		db.Each(func(r db.Rows) error {
			var row plainRow
			var body []byte
			if err := r.Scan(&row.key.SessionID, &row.key.Time, &row.athlete, &body); err != nil {
				return err
			}
			c := all[row.key.SessionID]
			if c == nil || c.time != row.key.Time {
				return fmt.Errorf("the row of %q does not belong to a capture", row.key.SessionID)
			}
			c.rows++
			if c.matches && (only == (db.ID{}) || row.athlete == only) {
				row.body = string(body)
				list = append(list, row)
			}
			return nil
		}, `SELECT session_id, sort_time, athlete, body FROM capture_row WHERE organization = $1`, org))
	counted := map[string]bool{}
	for _, row := range list {
		counted[row.key.SessionID] = true
	}
	for session, c := range all {
		if c.rows == 0 {
			err = errors.Join(err, fmt.Errorf("%q has no row", session))
		}
	}
	captures = int64(len(counted))
	slices.SortFunc(list, func(a, b plainRow) int {
		if n := a.key.Compare(b.key); n != 0 {
			return n
		}
		return slices.Compare(a.athlete[:], b.athlete[:])
	})
	return captures, list, err
}

// compare holds pages at some offsets, or at that of the query, to one plain count, in one
// snapshot.
func compare(s *Store, org db.ID, q capture.Query, offsets ...int64) error {
	x, err := s.textsFor(context.Background(), answerKey{org, q})
	if err != nil {
		return err
	}
	if x != nil {
		defer s.finder.leave(x)
	}
	if offsets == nil {
		offsets = []int64{q.Offset}
	}
	return s.engine.Read(context.Background(), org, func(t db.Tx) error {
		var total int64
		var list []plainRow // nil before the count
		for _, q.Offset = range offsets {
			p := pager{s: s, t: t, org: org, q: q, texts: x}
			err := p.readState()
			if fault.Is(err, fault.BadRequest) {
				return nil // the athlete is away just now
			}
			if err != nil {
				return err
			}
			if err := p.readPage(); err != nil {
				return fmt.Errorf("%+v: %w", q, err)
			}
			if list == nil {
				if total, list, err = plain(t, org, q); err != nil {
					return err
				}
				if q.Oldest {
					slices.Reverse(list)
				}
			}
			if p.total != total {
				return fmt.Errorf("%+v: total %d, but a plain count gives %d", q, p.total, total)
			}
			page := list[min(q.Offset, int64(len(list))):]
			page = page[:min(q.Limit, len(page))]
			var want, got []string
			for _, row := range page {
				want = append(want, row.body)
			}
			for _, row := range p.rows {
				got = append(got, string(row))
			}
			if !slices.Equal(want, got) {
				return fmt.Errorf("%+v: the page holds other rows than a plain sort:\n%s\nand not\n%s",
					q, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		return nil
	})
}

// throughout lets writers do so many steps each, and readers compare a page for each of
// them, at about the same time: the next step begins when it does not run far ahead.
func throughout(t *testing.T, steps int, writers, readers []func() error) {
	t.Helper()
	begun := make(chan struct{}, 2*len(readers)) // steps whose page nobody has looked at
	var writing, reading sync.WaitGroup
	for _, step := range writers {
		writing.Go(func() {
			for range steps {
				begun <- struct{}{}
				if err := step(); err != nil {
					t.Error("a step of the history:", err)
					return
				}
			}
		})
	}
	for _, look := range readers {
		reading.Go(func() {
			var err error
			for range begun {
				if err != nil {
					continue // nobody may wait for this reader
				}
				if err = look(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(begun)
	reading.Wait()
}

func TestTotalsAndPagesEqualAPlainCountThroughoutRandomHistories(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		quick := func(o *Options) { o.FoldAfter = 3 * time.Millisecond }
		// The second has room for the texts of few blocks only. Both have many segments.
		first, second := p.open(quick), p.open(quick, func(o *Options) { o.SearchBytes = 200 << 10 })
		first.finder.most, second.finder.most = 5, 3
		h := newHistory(t, first, 4000)
		org, _ := organization.ParseID(h.scope.Organization.String())
		ctx := context.Background()
		r := chance(t)
		steps := 40
		if testing.Short() {
			steps = 15
		}
		var writers, readers []func() error
		for n := range 4 {
			s, r := []*Store{first, second}[n%2], rand.New(rand.NewPCG(r.Uint64(), 0))
			writers = append(writers, func() error { return h.step(ctx, s, r) })
		}
		for n := range 2 {
			s, r := []*Store{first, second}[n%2], rand.New(rand.NewPCG(r.Uint64(), 0))
			readers = append(readers, func() error { return compare(s, org, h.query(r)) })
		}
		readers = append(readers, func() error { // as a server that starts does
			_, err := first.readSegment(ctx, org)
			return err
		})
		throughout(t, steps, writers, readers)
		for range 40 { // and when all is quiet, folded or not
			if err := compare(first, org, h.query(r)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(first.fold(ctx, org, nil),
			compare(second, org, capture.Query{Limit: 500, Offset: math.MaxInt32})); err != nil {
			t.Fatal(err)
		}
	})
}
