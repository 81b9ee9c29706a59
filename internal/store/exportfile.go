package store

import (
	"context"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A result that somebody has asked for as a file has a row in export_file for each
// format: the file, when it is made, and until then who makes it. It belongs to one
// version of the result, and goes with it.
//
// Rows are locked in this order, by everybody: the result in export_build, the sum of
// the organization in export_storage, the file. A transaction that gives a file its name
// or takes it away holds the first two of them, so that a sum is never wrong and no file
// outlives its result.

// exportFile is that row.
type exportFile struct {
	job       string
	format    string
	version   int64
	name      string // "" until it is made
	writers   string // the export.Writers of who made it
	size      int64
	keptAt    int64  // micros; 0 until it is made
	asked     int64  // micros
	again     int64  // 1: a deletion took the last one away
	notBefore int64  // micros before which it is not tried again; 0: it is wanted
	coming    string // the name under which it is being stored
	lease
}

var exportFiles = db.NewTable("export_file", []string{"organization"},
	db.Keyed(db.AsIs("job", func(f *exportFile) *string { return &f.job })),
	db.Keyed(db.AsIs("format", func(f *exportFile) *string { return &f.format })),
	db.AsIs("version", func(f *exportFile) *int64 { return &f.version }),
	db.AsIs("name", func(f *exportFile) *string { return &f.name }),
	db.AsIs("writers", func(f *exportFile) *string { return &f.writers }),
	db.AsIs("size", func(f *exportFile) *int64 { return &f.size }),
	db.AsIs("kept_at", func(f *exportFile) *int64 { return &f.keptAt }),
	db.AsIs("asked_at", func(f *exportFile) *int64 { return &f.asked }),
	db.AsIs("again", func(f *exportFile) *int64 { return &f.again }),
	db.AsIs("not_before", func(f *exportFile) *int64 { return &f.notBefore }),
	db.AsIs("coming", func(f *exportFile) *string { return &f.coming }),
	db.AsIs("attempt", func(f *exportFile) *int64 { return &f.attempt }),
	db.AsIs("deaths", func(f *exportFile) *int { return &f.deaths }),
	db.AsIs("lease", func(f *exportFile) *int64 { return &f.until }))

func (f *exportFile) scan(r db.Rows) error { return exportFiles.Scan(r, f) }

func (f *exportFile) put(w *writeTx) error { return w.Do(exportFiles.Updated(f, w.Org)) }

// make asks for the file to be made.
func (f *exportFile) make(w *writeTx, at time.Time) {
	w.Enqueue(job.Job{Work: job.ExportFile, Organization: w.Org.String(),
		Subject: export.FileSubject(f.job, export.Format(f.format)), At: at})
}

// stop takes the making away from whoever is at it. What may be stored already, or
// still be on its way, is erased.
func (f *exportFile) stop(w *writeTx) error {
	f.giveBack()
	return f.eraseComing(w)
}

// eraseComing has what the last worker was storing erased.
func (f *exportFile) eraseComing(w *writeTx) error {
	if f.coming == "" {
		return nil
	}
	name := f.coming
	f.coming = ""
	w.eraseSoon()
	return w.Do(db.Exec(`UPDATE erasure SET due = -due WHERE organization = $1 AND name = $2 AND due > 0`, w.Org, name))
}

// lockVersion locks a result and gives its version; 0 when there is none any more.
func (w *writeTx) lockVersion(jobID string) (version int64, err error) {
	err = w.Do(db.Each(func(r db.Rows) error { return r.Scan(&version) },
		`SELECT version FROM export_build WHERE organization = $1 AND job = $2 AND erased = 0 FOR UPDATE`, w.Org,
		jobID))
	return version, err
}

// lockFile locks the file of a result; nil when nobody has asked for it.
func (w *writeTx) lockFile(jobID, format string) (f *exportFile, err error) {
	err = w.Do(db.Each(func(r db.Rows) error {
		f = new(exportFile)
		return f.scan(r)
	}, `SELECT `+exportFiles.List+` FROM export_file WHERE organization = $1 AND job = $2 AND format = $3 FOR UPDATE`,
		w.Org, jobID, format))
	return f, err
}

// Kept says how a finished result can be had as a file.
func (s *Store) Kept(ctx context.Context, sc organization.Scope, jobID, version string,
	format export.Format) (kept export.Kept, err error) {
	org := sc.Organization
	var now int64
	var f *exportFile
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		now, f = 0, nil
		return t.Do(db.Each(func(r db.Rows) error { return r.Scan(&now) },
			`SELECT version FROM export_build WHERE organization = $1 AND job = $2 AND erased = 0`, org, jobID),
			db.Each(func(r db.Rows) error {
				f = new(exportFile)
				return f.scan(r)
			}, `SELECT `+exportFiles.List+` FROM export_file WHERE organization = $1 AND job = $2 AND format = $3`,
				org, jobID, string(format)))
	})
	if err != nil {
		return kept, db.ToFault(err)
	}
	if strconv.FormatInt(now, 10) != version {
		return kept, fault.New(fault.NotFound, "the result has changed: something in it was deleted; ask for it again")
	}
	if f == nil {
		return export.Kept{Ask: true}, nil
	}
	wait := db.FromMicros(f.asked).Add(export.RewriteTime).Sub(s.now())
	switch {
	case f.name != "":
		kept.Name, kept.Writers = f.name, f.writers
	case f.again != 0 && wait > 0:
		kept.Wait = min(wait, 5*time.Second)
	case f.notBefore > 0:
		kept.Ask = !db.FromMicros(f.notBefore).After(s.now())
	}
	return kept, nil
}

// Keep has a file made, unless it is there or being made.
func (s *Store) Keep(ctx context.Context, sc organization.Scope, jobID string, format export.Format,
	lost string) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		if version, err := w.lockVersion(jobID); err != nil || version == 0 {
			return err
		}
		now := s.now()
		var n int64
		insert := exportFiles.Inserted(&exportFile{job: jobID, format: string(format), asked: db.Micros(now)}, org)
		insert.SQL += ` ON CONFLICT (organization, job, format) DO NOTHING`
		insert.Affected = &n
		if err := w.Do(insert); err != nil {
			return err
		}
		files, err := w.lockFiles()
		if err != nil {
			return err
		}
		f, err := w.lockFile(jobID, string(format))
		if err != nil || f == nil {
			return err
		}
		switch {
		case n > 0:
		case lost != "" && f.name == lost:
			if err := w.dropFile(f, &files); err != nil {
				return err
			}
		case f.notBefore > 0 && !db.FromMicros(f.notBefore).After(now):
		default:
			return nil
		}
		f.asked, f.notBefore, f.deaths = db.Micros(now), 0, 0
		f.make(w, time.Time{})
		return f.put(w)
	}))
}

// ClaimFile takes the making of a file.
func (s *Store) ClaimFile(ctx context.Context, sc organization.Scope, subject string) (work *export.FileWork,
	wait time.Duration, err error) {
	org := sc.Organization
	jobID, format := export.ParseFileSubject(subject)
	var version int64
	err = s.write(ctx, org, func(w *writeTx) (err error) {
		work, wait = nil, 0
		if version, err = w.lockVersion(jobID); err != nil {
			return err
		}
		f, err := w.lockFile(jobID, string(format))
		if err != nil || f == nil || f.name != "" || f.notBefore > 0 {
			return err
		}
		if version == 0 { // the result was erased between being asked for and now
			return w.Do(db.Exec(`DELETE FROM export_file WHERE organization = $1 AND job = $2 AND format = $3`, org,
				jobID, string(format)))
		}
		now := s.now()
		until := f.until
		held, left, died := f.take(job.Job{Work: job.ExportFile, Organization: sc.Organization.String(),
			Subject: subject}, now)
		if wait = left; wait > 0 {
			return nil
		}
		if died {
			if !starved(until, s.engine.Breaker().Answered()) {
				f.deaths++
			}
			if err := f.eraseComing(w); err != nil {
				return err
			}
			if f.deaths >= job.MaxDeaths {
				return s.giveUpFile(w, f)
			}
		}
		parts, err := w.partsBytes()
		if err != nil {
			return err
		}
		f.version = version
		work = &export.FileWork{Held: held, Format: format, Room: max(0, s.storage()-parts), Again: f.again != 0}
		w.Enqueue(held.Watching(now))
		return f.put(w)
	})
	if err != nil || work == nil {
		return nil, wait, db.ToFault(err)
	}
	work.Result, err = s.Result(ctx, sc, jobID)
	if err != nil || work.Version != strconv.FormatInt(version, 10) {
		return nil, 0, ignoreMissing(err) // a deletion came in between, and has asked for it again
	}
	return work, 0, nil
}

// madeBy runs f on the file that a piece of work makes, when it still is the worker's.
func (s *Store) madeBy(ctx context.Context, sc organization.Scope, work *export.FileWork,
	do func(w *writeTx, f *exportFile, files *int64) error) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		version, err := w.lockVersion(work.Job.ID)
		if err != nil {
			return err
		}
		files, err := w.lockFiles()
		if err != nil {
			return err
		}
		f, err := w.lockFile(work.Job.ID, string(work.Format))
		if err != nil {
			return err
		}
		if f == nil || !f.heldBy(work.Held) || f.version != version {
			return job.ErrLost
		}
		return do(w, f, &files)
	}))
}

// ExpectFile says that the file is being stored under the name.
func (s *Store) ExpectFile(ctx context.Context, sc organization.Scope, work *export.FileWork, name string) error {
	return s.madeBy(ctx, sc, work, func(w *writeTx, f *exportFile, _ *int64) error {
		f.coming = name
		if err := w.expect("", s.now().Add(export.FileTime), name); err != nil {
			return err
		}
		return f.put(w)
	})
}

// FinishFile keeps the file, if there is room for it.
func (s *Store) FinishFile(ctx context.Context, sc organization.Scope, work *export.FileWork, name string,
	size int64) (kept bool, err error) {
	err = s.madeBy(ctx, sc, work, func(w *writeTx, f *exportFile, files *int64) error {
		if kept, err = s.makeRoom(w, files, size); err != nil || !kept {
			if err == nil {
				err = s.giveUpFile(w, f)
			}
			return err
		}
		if err := w.adopt(name); err != nil {
			return err
		}
		f.name, f.writers, f.size, f.keptAt, f.again, f.coming, f.deaths, f.until = name, export.Writers, size,
			db.Micros(s.now()), 0, "", 0, 0
		*files += size
		if err := f.put(w); err != nil {
			return err
		}
		return w.Do(putFiles(w.Org, *files))
	})
	return kept && err == nil, err
}

// ReleaseFile has it tried again. A worker that only stops has not failed of it.
func (s *Store) ReleaseFile(ctx context.Context, sc organization.Scope, work *export.FileWork, again time.Time) error {
	return s.madeBy(ctx, sc, work, func(w *writeTx, f *exportFile, _ *int64) error {
		if !again.IsZero() {
			f.deaths++
		}
		if f.deaths >= job.MaxDeaths {
			return s.giveUpFile(w, f)
		}
		if err := f.stop(w); err != nil {
			return err
		}
		f.make(w, again)
		return f.put(w)
	})
}

// GiveUpFile has it not made for a while.
func (s *Store) GiveUpFile(ctx context.Context, sc organization.Scope, work *export.FileWork) error {
	return s.madeBy(ctx, sc, work, func(w *writeTx, f *exportFile, _ *int64) error { return s.giveUpFile(w, f) })
}

func (s *Store) giveUpFile(w *writeTx, f *exportFile) error {
	if err := f.stop(w); err != nil {
		return err
	}
	f.again, f.notBefore = 0, db.Micros(s.now().Add(export.FileTrial))
	return f.put(w)
}
