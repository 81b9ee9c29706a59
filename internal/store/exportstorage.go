package store

import (
	"slices"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
)

// The bytes of an organization's results are summed up where they change: the bytes of
// its files in export_storage, the parts of a result in its own row, of which an index
// has those that have any. Files can be made again, so that the oldest give way; parts
// cannot.

// storage is how many bytes the results of one organization may take.
func (s *Store) storage() int64 {
	if s.options.ExportStorage > 0 {
		return s.options.ExportStorage
	}
	return export.Storage
}

// partsBytes is what the parts of all results weigh, with what they have left out.
func (w *writeTx) partsBytes() (bytes int64, err error) {
	var parts, skipped int64
	err = w.Do(countedParts(w.Org, &parts, &skipped))
	return partBytes(parts, skipped), err
}

// countedParts makes the statement that counts the parts of all results, and the captures that they have left out.
func countedParts(org db.ID, parts, skipped *int64) db.Statement {
	return db.One(db.Into(parts, skipped),
		`SELECT COALESCE(SUM(parts), 0), COALESCE(SUM(skipped), 0) FROM export_build WHERE organization = $1 AND parts + skipped > 0`, org)
}

func partBytes(parts, skipped int64) int64 { return parts*export.PartBytes + skipped*export.SkipBytes }

// lockFiles locks the sum of the kept files' bytes.
func (w *writeTx) lockFiles() (bytes int64, err error) {
	err = w.Do(db.Exec(`INSERT INTO export_storage (organization, files) VALUES ($1, 0) ON CONFLICT (organization) DO NOTHING`, w.Org),
		db.One(db.Into(&bytes), `SELECT files FROM export_storage WHERE organization = $1 FOR UPDATE`, w.Org))
	return bytes, err
}

func putFiles(org db.ID, bytes int64) db.Statement {
	return db.Exec(`UPDATE export_storage SET files = $2 WHERE organization = $1`, org, bytes)
}

// dropFile takes the file away; files is the sum, which is locked.
func (w *writeTx) dropFile(f *exportFile, files *int64) error {
	if err := f.stop(w); err != nil || f.name == "" {
		return err
	}
	*files -= f.size
	name := f.name
	f.name, f.size = "", 0
	if err := w.Do(putFiles(w.Org, *files)); err != nil {
		return err
	}
	return w.discard("", name)
}

// makeRoom drops the oldest files until there is room for so many bytes more; ok is
// false, and nothing is dropped, when there never will be. files is their sum, or nil
// when it is not locked yet.
func (s *Store) makeRoom(w *writeTx, files *int64, size int64) (ok bool, err error) {
	if files == nil {
		locked, err := w.lockFiles()
		if err != nil {
			return false, err
		}
		files = &locked
	}
	parts, err := w.partsBytes()
	if err != nil {
		return false, err
	}
	allowed, err := s.exportRoom(w, w.Org)
	if err != nil {
		return false, err
	}
	room := allowed - parts
	if size > room {
		return false, nil
	}
	if *files+size <= room {
		return true, nil
	}
	var oldest []*exportFile
	if err := w.Do(db.Each(func(r db.Rows) error {
		f := new(exportFile)
		oldest = append(oldest, f)
		return f.scan(r)
	}, `SELECT `+exportFiles.List+
		` FROM export_file WHERE organization = $1 AND name <> '' ORDER BY kept_at, job, format FOR UPDATE`,
		w.Org)); err != nil {
		return false, err
	}
	for _, f := range oldest {
		if *files+size <= room {
			break
		}
		if err := w.dropFile(f, files); err != nil {
			return false, err
		}
		if err := w.Do(db.Exec(`DELETE FROM export_file WHERE organization = $1 AND job = $2 AND format = $3`, w.Org,
			f.job, f.format)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// mayExport says whether the organization has room for one more result, for which
// files give way.
func (s *Store) mayExport(w *writeTx) error {
	if ok, err := s.makeRoom(w, nil, export.PartBytes); err != nil || ok {
		return err
	}
	allowed, err := s.exportRoom(w, w.Org)
	if err != nil {
		return err
	}
	s.spent.Add(1)
	return noRoom(allowed)
}

// Spent is how many exports were refused because results take all that they may, by this process.
func (s *Store) Spent() int64 { return s.spent.Load() }

// noRoom says that results have spent what they may have.
func noRoom(limit int64) *fault.Error {
	size := strconv.FormatInt(limit, 10) + " bytes"
	if limit%(1<<30) == 0 {
		size = strconv.FormatInt(limit>>30, 10) + " GiB"
	}
	return fault.New(fault.Conflict,
		"The results of the organization's exports take all of the %s that they may have. A result is erased %d days "+
			"after it was made; the server's operator can allow more with kinebase org quota, or everybody with "+
			"KINEBASE_EXPORT_STORAGE.",
		size, int(export.Life.Hours()/24))
}

// withdrawFiles takes the files of results away that rows were deleted from, whose
// rows are locked, and has them made again.
func (w *writeTx) withdrawFiles(jobs []string) error {
	for part := range slices.Chunk(jobs, writeChunk) {
		in, args := parameterList(w.Org, part, func(name string) any { return name })
		if err := w.eachFile(` AND job IN (`+in+`) AND (name <> '' OR lease > 0)`, args,
			func(f *exportFile, files *int64) error {
				if f.name != "" {
					f.again, f.asked = 1, db.Micros(w.now())
				}
				if err := w.dropFile(f, files); err != nil {
					return err
				}
				f.attempt++
				f.make(w, time.Time{})
				return f.put(w)
			}); err != nil {
			return err
		}
	}
	return nil
}

// forgetFiles takes the files of a result away for good.
func (w *writeTx) forgetFiles(jobID string) error {
	if _, err := w.lockVersion(jobID); err != nil {
		return err
	}
	return w.eachFile(` AND job = $2`, []any{w.Org, jobID}, func(f *exportFile, files *int64) error {
		if err := w.dropFile(f, files); err != nil {
			return err
		}
		return w.Do(db.Exec(`DELETE FROM export_file WHERE organization = $1 AND job = $2 AND format = $3`, w.Org,
			f.job, f.format))
	})
}

// eachFile calls do for files, locked, with the sum of their bytes. Most results have
// none, and then nobody waits.
func (w *writeTx) eachFile(condition string, args []any, do func(f *exportFile, files *int64) error) error {
	text := `SELECT ` + exportFiles.List + ` FROM export_file WHERE organization = $1` + condition
	var list []*exportFile
	read := func(r db.Rows) error {
		f := new(exportFile)
		list = append(list, f)
		return f.scan(r)
	}
	if err := w.Do(db.Each(read, text, args...)); err != nil || len(list) == 0 {
		return err
	}
	files, err := w.lockFiles()
	if err != nil {
		return err
	}
	list = nil
	if err := w.Do(db.Each(read, text+` ORDER BY job, format FOR UPDATE`, args...)); err != nil {
		return err
	}
	for _, f := range list {
		if err := do(f, &files); err != nil {
			return err
		}
	}
	return nil
}
