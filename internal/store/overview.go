package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
)

// Overview says what an organization has, in one snapshot. Captures are counted by the
// blocks of their list; rows are looked at only where a day begins.
func (s *Store) Overview(ctx context.Context, sc organization.Scope, days int,
	include capture.Include) (o capture.Overview, err error) {
	org := sc.Organization
	today := s.now().UTC().Truncate(24 * time.Hour)
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		o = capture.Overview{From: today.AddDate(0, 0, 1-days), To: today, ByStatus: map[capture.Status]int64{}}
		var originals, made, exports int64
		if err := t.Do(
			db.One(db.Into(&o.Athletes), `SELECT count(*) FROM athlete WHERE organization = $1`, org),
			fileBytes(org, &originals, &made),
			db.One(db.Into(&exports), `SELECT COALESCE(SUM(files), 0) FROM export_storage WHERE organization = $1`,
				org),
			briefs(&o.Recent, org, `/*+ INDEXED BY capture_changed */`, ``),
			briefs(&o.Failed, org, `/*+ INDEXED BY capture_failed */`, ` AND status = 'error'`),
		); err != nil {
			return err
		}
		o.OriginalBytes, o.ExportBytes, o.Include = originals, exports, include
		o.FileBytes = originals + made
		if o.FileBytesAllowed, err = s.fileRoom(t, org); err != nil {
			return err
		}
		if err := includeBriefs(t, org, include, append(pointers(o.Recent), pointers(o.Failed)...)); err != nil {
			return err
		}
		return s.countDays(t, org, &o, tally.Days{Last: today.Unix() / (24 * 60 * 60), Count: int64(days)})
	})
	return o, db.ToFault(err)
}

// briefs reads the captures that were changed last.
func briefs(list *[]capture.Brief, org db.ID, index, condition string) db.Statement {
	return db.Each(func(r db.Rows) error {
		var b capture.Brief
		var status string
		var sortTime, updated int64
		if err := r.Scan(&b.SessionID, &status, &b.Activity, &b.Movement, &sortTime, &updated, &b.Error); err != nil {
			return err
		}
		b.Status, b.LastModified = capture.Status(status), db.FromMicros(updated)
		if sortTime != math.MaxInt64 {
			at := db.FromMicros(-sortTime)
			b.CaptureTime = &at
		}
		*list = append(*list, b)
		return nil
	}, `SELECT session_id, status, activity, movement, sort_time, updated_at, error FROM capture `+index+
		` WHERE organization = $1`+condition+`
ORDER BY updated_at DESC, session_id DESC LIMIT $2`, org, capture.MaxRecent)
}

func pointers(list []capture.Brief) []*capture.Brief {
	to := make([]*capture.Brief, len(list))
	for i := range list {
		to[i] = &list[i]
	}
	return to
}

// includeBriefs looks up what is to be told of captures besides, and of their first athletes.
func includeBriefs(t db.Tx, org db.ID, include capture.Include, list []*capture.Brief) error {
	if !include.Rows() || len(list) == 0 {
		return nil
	}
	of := make([]rowOf, len(list))
	statements := make([]db.Statement, len(list))
	for i, b := range list {
		of[i].session = b.SessionID
		sortTime := int64(math.MaxInt64)
		if b.CaptureTime != nil {
			sortTime = -db.Micros(*b.CaptureTime)
		}
		statements[i] = db.One(db.Into(&of[i].athlete),
			`SELECT athlete FROM capture_row WHERE organization = $1 AND sort_time = $2 AND session_id = $3 AND place = 0`, org, sortTime, b.SessionID)
	}
	if include&capture.IncludeAthlete != 0 {
		if err := t.Do(statements...); err != nil {
			return err
		}
	}
	more, err := included(t, org, include, of)
	for i := range more {
		list[i].More = more[i]
	}
	return err
}

// countDays counts captures by status, and those of days by movement.
func (s *Store) countDays(t db.Tx, org db.ID, o *capture.Overview, d tally.Days) error {
	p := pager{s: s, t: t, org: org}
	if err := p.readState(); err != nil {
		return err
	}
	combinations, err := s.combinationsOf(t, org)
	if err != nil {
		return err
	}
	changes, err := tally.ParseChanges(nil, p.delta)
	if err != nil {
		return err
	}
	list, err := s.loadList(t, listKey{org, db.ID{}, p.list.born}, p.list.generation)
	if err != nil {
		return err
	}
	pending := tally.PendingOf(changes, db.ID{})
	o.Captures = list.Total(nil, pending).Captures
	for _, status := range capture.Statuses {
		set := tally.NewSet(uint32(len(combinations)))
		for i, k := range combinations {
			if k.Status == status {
				set.Put(uint32(i + 1))
			}
		}
		o.ByStatus[status] = list.Total(set, pending).Captures
	}
	counted := list.PerDay(d, changes)
	statements := make([]db.Statement, len(counted.Rows))
	for i, part := range counted.Rows {
		statements[i] = db.Each(func(r db.Rows) error {
			var at, combination int64
			err := r.Scan(&at, &combination)
			counted.Row(at, uint32(combination))
			return err
		}, `SELECT sort_time, combination FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1`+inStretch+alongList+
			`AND place = 0`,
			org, part.Low.Time, part.Low.SessionID, part.High.Time, part.High.SessionID)
	}
	if err := t.Do(statements...); err != nil {
		return err
	}
	o.PerDay = byMovement(counted.Counts, combinations)
	return nil
}

// byMovement adds up what differs in anything but day and movement. The movements with
// the most captures are told apart.
func byMovement(counts map[tally.DayKey]int64, combinations []capture.Combination) []capture.DayCount {
	type key struct {
		day      int64
		movement string
	}
	per, sums := map[key]int64{}, map[string]int64{}
	for k, n := range counts {
		movement := combinations[k.Combination-1].Movement
		per[key{k.Day, movement}] += n
		sums[movement] += n
	}
	names := make([]string, 0, len(sums))
	for name := range sums {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	told := map[string]bool{"": true}
	for _, name := range names[:min(len(names), capture.MaxDayLabels)] {
		told[name] = true
	}
	var list []capture.DayCount
	others := map[int64]int64{}
	for k, n := range per {
		switch {
		case n == 0:
		case told[k.movement]:
			list = append(list, capture.DayCount{Day: dayTime(k.day), Movement: k.movement, Count: n})
		default:
			others[k.day] += n
		}
	}
	for day, n := range others {
		list = append(list, capture.DayCount{Day: dayTime(day), Others: true, Count: n})
	}
	slices.SortFunc(list, func(a, b capture.DayCount) int {
		if c := a.Day.Compare(b.Day); c != 0 || a.Others == b.Others {
			return cmp.Or(c, cmp.Compare(a.Movement, b.Movement))
		}
		if a.Others {
			return 1
		}
		return -1
	})
	return list
}

func dayTime(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }
