package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// fates are the ends of athletes by organization and id, each in the order of their positions: an
// athlete that was imported again can end again.
type fates map[[2]string][]backup.Erasure

// fatesOf reads them out of erasures that are in the order of their positions.
func fatesOf(erasures []backup.Erasure) fates {
	f := fates{}
	for _, e := range erasures {
		if e.Kind == backup.KindAthlete {
			at := [2]string{e.Organization, e.ID}
			f[at] = append(f[at], e)
		}
	}
	return f
}

// chain gives the athletes that one became, one after the other, and says whether the last of them was
// deleted. Positions grow from step to step, so that it ends.
func (f fates) chain(e backup.Erasure) (chain []string, deleted bool) {
	for e.Into != "" {
		chain = append(chain, e.Into)
		all := f[[2]string{e.Organization, e.Into}]
		next := slices.IndexFunc(all, func(o backup.Erasure) bool { return o.Position > e.Position })
		if next < 0 {
			return chain, false
		}
		e = all[next]
	}
	return chain, true
}

// nobodysName is the first name of an athlete of whom the backup has the captures and not the name.
const nobodysName = "Unknown"

// mergeAgain merges an athlete into the first of those that it became whom the store has. Where it has
// none, the last one gets the captures, without anything that the merged one was called.
func (r *Restoring) mergeAgain(ctx context.Context, e backup.Erasure, chain []string) (by []string, err error) {
	s, sc := r.store, organization.In(e.Organization)
	into := ""
	for _, name := range chain {
		_, err := s.Athlete(ctx, sc, name)
		if err == nil {
			into = name
			break
		}
		if !fault.Is(err, fault.NotFound) {
			return nil, err
		}
	}
	if into == "" {
		into = chain[len(chain)-1]
		now := s.now().UTC().Truncate(1e6)
		if err := s.CreateAthlete(ctx, sc, athlete.Athlete{ID: into, FirstName: nobodysName, CreatedAt: now,
			UpdatedAt: now, Version: 1}, nil); err != nil {
			return nil, err
		}
		if r.unnamed == nil {
			r.unnamed = map[string]bool{}
		}
		r.unnamed[e.Organization+into] = true
		by = append(by, fmt.Sprintf("The athlete %s of the organization %s is called %s: others had been merged into "+
			"it, and the backup is older than it. Give it its name again.",
			into, e.Organization, nobodysName))
	}
	merge := func(into, from athlete.Athlete) (athlete.Athlete, error) {
		if r.unnamed[e.Organization+into.ID] {
			return into, nil
		}
		if merged, err := athlete.Merge(into, from, s.now()); err == nil {
			return merged, nil
		}
		return into, nil // what they have together does not fit: the one that stays is as it is
	}
	_, err = s.MergeAthletes(ctx, sc, into, e.ID, nil, merge)
	if fault.Is(err, fault.Conflict) { // exports are being built that would leave captures out
		canceled, failed := r.cancelBuilds(ctx, sc)
		if failed != nil {
			return by, failed
		}
		by = append(by, canceled...)
		_, err = s.MergeAthletes(ctx, sc, into, e.ID, nil, merge)
	}
	return by, err
}

// cancelBuilds cancels the exports of an organization that were being built, and names them.
func (r *Restoring) cancelBuilds(ctx context.Context, sc organization.Scope) (by []string, err error) {
	org := sc.Organization
	var jobs []string
	if err := r.store.engine.Once(ctx, org, db.Each(func(row db.Rows) error {
		var name string
		err := row.Scan(&name)
		jobs = append(jobs, name)
		return err
	}, `SELECT id FROM export_job WHERE organization = $1 AND status = 'RUNNING' ORDER BY id`, org)); err != nil {
		return nil, db.ToFault(err)
	}
	for _, name := range jobs {
		if _, err := r.store.CancelJob(ctx, sc, name, nil); err != nil {
			return nil, err
		}
		by = append(by, fmt.Sprintf("The export %s of the organization %s was canceled, for athletes of it were "+
			"merged again: ask for it again.", name, sc.Organization))
	}
	return by, nil
}
