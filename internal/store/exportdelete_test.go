package store

import (
	"testing"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
)

func TestADeletedExportLeavesNothing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		for _, name := range []string{"a", "b"} {
			film(t, s, sc, session(name, &noon, create(t, s, sc, person("Jo"))[0]), walked(3, "A", 1))
		}
		r, kept := exported(t, s, sc, export.Request{}), exported(t, s, sc, export.Request{})
		file := made(t, s, sc, r, export.CSV, 1)
		f := follows(sc)
		f.rest(t, s)
		refused(t, s.DeleteJob(t.Context(), other, r.Job.ID), fault.NotFound, "no such export job")
		must(t, s.DeleteJob(t.Context(), sc, r.Job.ID))
		refused(t, s.DeleteJob(t.Context(), sc, r.Job.ID), fault.NotFound, "no such export job")
		_, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{})
		refused(t, err, fault.NotFound, "no such export job")
		_, err = s.Result(t.Context(), sc, r.Job.ID)
		refused(t, err, fault.NotFound, "no such export job")
		same(t, "the feed", f.rest(t, s), []string{"-export " + r.Job.ID})

		// An import may bring one of the same id, which has nothing of what is still being erased.
		_, err = s.Import(t.Context(),
			sc, []manifest.Record{{Job: &export.Job{ID: r.Job.ID, Status: export.Completed, CreatedAt: noon,
				CompletedAt: &noon}}}, false)
		must(t, err)
		back, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{})
		must(t, err)
		if back.RowCount != nil {
			t.Errorf("the imported job has %d rows", *back.RowCount)
		}
		if wait, err := s.ForgetResult(t.Context(), sc, r.Job.ID); err != nil || wait != 0 {
			t.Errorf("erasing waits for %s, %v", wait, err)
		}
		for _, table := range []string{"export_build", "export_part", "export_block", "export_column", "export_file",
			"export_skip", "export_reason"} {
			var n int64
			must(t, s.engine.Once(t.Context(), idOf(t, sc),
				db.One(db.Into(&n), `SELECT count(*) FROM `+table+` WHERE organization = $1 AND job = $2`, idOf(t, sc),
					r.Job.ID)))
			if n > 0 {
				t.Errorf("%s has %d rows of it", table, n)
			}
		}
		erasable := erasable(t, s, sc)
		if len(erasable) != 1 || erasable[0] != file {
			t.Errorf("%v are erased, and not %s alone", erasable, file)
		}
		if j, err := s.Job(t.Context(), sc, kept.Job.ID, export.Left{}); err != nil ||
			*j.RowCount != *kept.Job.RowCount {
			t.Errorf("the other job is %+v, %v", j, err)
		}
		must(t, s.DeleteJob(t.Context(), sc, r.Job.ID)) // the imported one

		running, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		refused(t, s.DeleteJob(t.Context(), sc, running.ID), fault.Conflict, "cancel it first")
	})
}
