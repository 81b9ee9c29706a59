package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// erasedTables are all tables with rows of organizations but erasure, which has the names of the files that are
// still to go and goes with them, and audit, from which the role that serves erases by a function alone.
var erasedTables = []string{"token_index", "token", "athlete_attribute", "athlete_log", "athlete", "capture_group",
	"capture_row", "combination", "capture", "column_count", "column_delta", "deletion",
	"export_block", "export_build", "export_column", "export_file", "export_part", "export_reason", "export_skip",
	"export_storage", "export_job", "idempotency",
	"landmarks", "webhook", "webhook_delivery", "list", "list_block", "list_delta", "recording", "recording_bytes",
	"share", "share_capture", "share_progress", "skeleton", "upload_partial", "upload_piece", "usage_day"}

// ownFiles are the columns that name files of an organization.
var ownFiles = []string{
	`SELECT organization, original, session_id, 0 FROM recording WHERE organization = $1 AND original <> ''`,
	`SELECT organization, derived, session_id, 0 FROM recording WHERE organization = $1 AND derived <> ''`,
	`SELECT organization, motion_table, session_id, 0 FROM recording WHERE organization = $1 AND motion_table <> ''`,
	`SELECT organization, samples, session_id, 0 FROM recording WHERE organization = $1 AND samples <> ''`,
	`SELECT DISTINCT organization, motion_table, '', 0 FROM export_part WHERE organization = $1 AND motion_table <> ''`,
	`SELECT organization, name, '', 0 FROM export_file WHERE organization = $1 AND name <> ''`,
}

// DeleteOrganization erases an organization with everything that it has. Its tokens end at once; its files are
// erased by the job that erases those of a deleted athlete.
func (s *Store) DeleteOrganization(ctx context.Context, key organization.ID) error {
	now := s.now()
	first := ctx
	if act := audit.From(ctx); act != nil {
		e := *act
		e.ID, e.Action = "", "org suspend"
		first = audit.With(ctx, e)
	}
	if err := s.SuspendOrganization(first, key, &now); err != nil {
		return err
	}
	if err := s.bulk(ctx, key, func(w *writeTx) error {
		// A writer of rows of the organization, such as an import, waits for this lock or is waited for.
		if err := w.Do(db.Each(func(db.Rows) error { return nil },
			`SELECT id FROM organization WHERE id = $1 FOR UPDATE`, key)); err != nil {
			return err
		}
		if err := w.eraseAll(); err != nil {
			return err
		}
		// The entry that says who did it is written behind this.
		return w.Do(db.Exec(`DELETE FROM organization WHERE id = $1`, key), s.forgetAllEntries(key),
			db.Exec(`INSERT INTO gone_organization (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, key, db.Micros(now)))
	}); err != nil {
		return db.ToFault(err)
	}
	s.forgetCallers()
	s.answers.forget(key)
	return nil
}

// eraseAll erases the rows of the transaction's organization, and has its files erased. A file that is being
// stored is erased once more when it may have come.
func (w *writeTx) eraseAll() error {
	w.Erased = true
	for _, names := range ownFiles {
		if err := w.Do(db.Exec(`INSERT INTO erasure (organization, name, session_id, due) `+names+
			` ON CONFLICT (organization, name) DO UPDATE SET due = 0`, w.Org)); err != nil {
			return err
		}
	}
	statements := []db.Statement{
		db.Exec(`UPDATE erasure SET due = -due WHERE organization = $1 AND due > 0`, w.Org),
		db.Exec(`UPDATE erasure SET session_id = '' WHERE organization = $1`, w.Org),
		// Jobs end by themselves when they find nothing that they are about.
		db.Exec(`UPDATE river_job SET args = /*+ jsonb_set(args, '$.subject', '') -- */ jsonb_set(args, '{subject}', '""')
		WHERE args->>'subject' <> '' AND args->>'organization' = $1`, w.Org.String()),
	}
	for _, table := range erasedTables {
		statements = append(statements, db.Exec(`DELETE FROM `+table+` WHERE organization = $1`, w.Org))
	}
	w.eraseSoon()
	return w.Do(statements...)
}

// Rows of an organization that is being deleted can still be written by transactions that had begun: they are
// erased a while later.
const lateRows = 24 * time.Hour

// eraseLate erases what came after organizations were deleted.
func (s *Store) eraseLate(ctx context.Context) error {
	var gone []db.ID
	if err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var key db.ID
		err := r.Scan(&key)
		gone = append(gone, key)
		return err
	}, `SELECT id FROM gone_organization WHERE at > $1`, db.Micros(s.now().Add(-lateRows)))); err != nil {
		return err
	}
	for _, key := range gone {
		if err := s.write(ctx, key, func(w *writeTx) error {
			if err := w.eraseAll(); err != nil {
				return err
			}
			return w.Do(s.forgetAllEntries(key))
		}); err != nil {
			return err
		}
	}
	return nil
}

// errSuspended is for the tokens of an organization that is suspended.
func errSuspended() error {
	return fault.New(fault.Forbidden, "The organization is suspended. Ask the server's operator.")
}

// suspended says whether an organization is.
func (s *Store) suspended(ctx context.Context, t organization.Token) (bool, error) {
	org := t.Organization
	var is bool
	err := s.engine.Once(ctx, org,
		db.One(db.Into(&is), `SELECT EXISTS (SELECT 1 FROM organization WHERE id = $1 AND suspended_at IS NOT NULL)`,
			org))
	return is, err
}
