package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Servers look at what each organization has, when they start and then every ten minutes, and keep each day's most.
// Several servers that look write the same row, and none of them adds to what another one has found.

const secondsOfDay = 24 * 60 * 60

// noteUsage notes what each organization has today.
func (s *Store) noteUsage(ctx context.Context) error {
	return s.eachOrganization(ctx, func(org db.ID) error {
		day := organization.Day(s.now())
		u, err := s.Usage(ctx, organization.Scope{Organization: org})
		if err != nil {
			return err
		}
		noted, err := s.usageDays(ctx, org, day, day)
		if err != nil || len(noted) == 1 && u.Within(noted[0].Amounts) {
			return err
		}
		return s.write(ctx, org, func(w *writeTx) error { return w.noteUsage(day, u.Amounts) })
	})
}

// noteUsage raises what is noted of a day to what is given. An organization that was deleted since gets no row.
func (w *writeTx) noteUsage(day time.Time, a organization.Amounts) error {
	var there bool
	if err := w.Do(db.Each(func(db.Rows) error { there = true; return nil },
		`SELECT id FROM organization WHERE id = $1 FOR UPDATE`, w.Org)); err != nil || !there {
		return err
	}
	return w.Do(db.Exec(`INSERT INTO usage_day (organization, day, captures, athletes, file_bytes, export_bytes)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization, day) DO UPDATE SET
captures = CASE WHEN excluded.captures > usage_day.captures THEN excluded.captures ELSE usage_day.captures END,
athletes = CASE WHEN excluded.athletes > usage_day.athletes THEN excluded.athletes ELSE usage_day.athletes END,
file_bytes = CASE WHEN excluded.file_bytes > usage_day.file_bytes THEN excluded.file_bytes ELSE usage_day.file_bytes END,
export_bytes = CASE WHEN excluded.export_bytes > usage_day.export_bytes THEN excluded.export_bytes ELSE usage_day.export_bytes END`,
		w.Org, day.Unix()/secondsOfDay, a.Captures, a.Athletes, a.FileBytes, a.ExportBytes))
}

// UsageDays gives the days of which it is known what the organization had, from one to another, both included and
// oldest first.
func (s *Store) UsageDays(ctx context.Context, sc organization.Scope,
	from, to time.Time) ([]organization.DayUsage, error) {
	days, err := s.usageDays(ctx, sc.Organization, from, to)
	return days, db.ToFault(err)
}

func (s *Store) usageDays(ctx context.Context, org db.ID, from, to time.Time) (days []organization.DayUsage,
	err error) {
	err = s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var d organization.DayUsage
		var day int64
		err := r.Scan(&day, &d.Captures, &d.Athletes, &d.FileBytes, &d.ExportBytes)
		d.Day = time.Unix(day*secondsOfDay, 0).UTC()
		days = append(days, d)
		return err
	}, `SELECT day, captures, athletes, file_bytes, export_bytes FROM usage_day
WHERE organization = $1 AND day >= $2 AND day <= $3 ORDER BY day`,
		org, from.Unix()/secondsOfDay, to.Unix()/secondsOfDay))
	return days, err
}
