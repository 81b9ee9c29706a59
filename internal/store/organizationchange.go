package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// changeOrganization changes a row of organizations; fault.NotFound when there is none.
func (s *Store) changeOrganization(ctx context.Context, key organization.ID, sql string, args ...any) error {
	err := s.write(ctx, key, func(w *writeTx) error {
		var n int64
		change := db.Exec(sql, append([]any{key}, args...)...)
		change.Affected = &n
		if err := w.Do(change); err != nil {
			return err
		}
		if n == 0 {
			return noOrganization(key)
		}
		w.Then(s.forgetCallers)
		return nil
	})
	return db.ToFault(err)
}

func noOrganization(key organization.ID) error {
	return fault.New(fault.NotFound, "there is no organization with the id %s", key)
}

// RenameOrganization gives an organization another name, which no other one may have: fault.Conflict.
func (s *Store) RenameOrganization(ctx context.Context, key organization.ID, name string) error {
	err := s.write(ctx, key, func(w *writeTx) error {
		folded, err := w.nameOf(key, name)
		if err != nil {
			return err
		}
		var n int64
		change := db.Exec(`UPDATE organization SET name = $2, name_key = $3 WHERE id = $1`, key, name, folded)
		change.Affected = &n
		if err := w.Do(change); err != nil {
			return err
		}
		if n == 0 {
			return noOrganization(key)
		}
		w.Then(s.forgetCallers)
		return nil
	})
	return db.ToFault(err)
}

// SuspendOrganization has the tokens of an organization refused, or taken again where at is nil. What it has
// asked for goes on.
func (s *Store) SuspendOrganization(ctx context.Context, key organization.ID, at *time.Time) error {
	return s.changeOrganization(ctx, key, `UPDATE organization SET suspended_at = $2 WHERE id = $1`, db.MicrosOrNil(at))
}

// SetQuota says what an organization may have.
func (s *Store) SetQuota(ctx context.Context, key organization.ID, q organization.Quota) error {
	return s.changeOrganization(ctx, key,
		`UPDATE organization SET capture_quota = $2, file_quota = $3, export_quota = $4 WHERE id = $1`, q.Captures,
		q.FileBytes, q.ExportBytes)
}

// quota reads what an organization may have by its own row.
func quota(org db.ID, q *organization.Quota) db.Statement {
	return db.Each(func(r db.Rows) error { return r.Scan(&q.Captures, &q.FileBytes, &q.ExportBytes) },
		`SELECT capture_quota, file_quota, export_quota FROM organization WHERE id = $1`, org)
}

// fileRoom is how many bytes the organization's files may take; 0: there is no bound.
func (s *Store) fileRoom(t db.Tx, org db.ID) (int64, error) {
	var q organization.Quota
	err := t.Do(quota(org, &q))
	if err != nil || q.FileBytes == nil {
		return s.options.FileStorage, err
	}
	return *q.FileBytes, nil
}

// exportRoom is how many bytes the organization's results may take.
func (s *Store) exportRoom(t db.Tx, org db.ID) (int64, error) {
	var q organization.Quota
	err := t.Do(quota(org, &q))
	if err != nil || q.ExportBytes == nil {
		return s.storage(), err
	}
	return *q.ExportBytes, nil
}

// total is the number of an organization's captures, as its list has it.
func (s *Store) total(ctx context.Context, sc organization.Scope) (int64, error) {
	a, err := s.Captures(ctx, sc, capture.Query{Limit: 1})
	if err != nil {
		return 0, err
	}
	return totalOf(a.Body)
}

// Usage is what an organization has, and may have.
func (s *Store) Usage(ctx context.Context, sc organization.Scope) (u organization.Usage, err error) {
	org := sc.Organization
	if u.Captures, err = s.total(ctx, sc); err != nil {
		return u, err
	}
	var sent, made, files, parts, skipped int64
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		u.Quota = organization.Quota{}
		return t.Do(quota(org, &u.Quota),
			db.One(db.Into(&u.Athletes), `SELECT count(*) FROM athlete WHERE organization = $1`, org),
			fileBytes(org, &sent, &made),
			db.One(db.Into(&files), `SELECT COALESCE(SUM(files), 0) FROM export_storage WHERE organization = $1`, org),
			countedParts(org, &parts, &skipped))
	})
	u.FileBytes, u.ExportBytes = sent+made, files+partBytes(parts, skipped)
	return u, db.ToFault(err)
}
