package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// CreateJob keeps a new job, which begins at once.
func (s *Store) CreateJob(ctx context.Context, sc organization.Scope, r export.Request, once *organization.Once) (export.Job, error) {
	org, err := scope(sc)
	if err != nil {
		return export.Job{}, err
	}
	if err := s.lookFor(ctx, org, r); err != nil {
		return export.Job{}, tell(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return export.Job{}, err
	}
	var j export.Job
	err = s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		if err := s.engine.line(w); err != nil {
			return nil, id{}, err
		}
		present, err := (&importing{s: s, w: w}).present([]manifest.Record{{Capture: &capture.Capture{AthleteIDs: r.Athletes}}})
		if err != nil {
			return nil, id{}, err
		}
		for _, a := range r.Athletes {
			if !present[a] {
				return nil, id{}, noSuchAthlete(a)
			}
		}
		if err := s.mayExport(w); err != nil {
			return nil, id{}, err
		}
		j = export.Job{ID: organization.NewID(), Status: export.Running, CreatedAt: s.now().UTC().Truncate(time.Millisecond)}
		line, err := s.join(w, j.ID)
		if err != nil {
			return nil, id{}, err
		}
		key, _ := parseID(j.ID)
		return j, key, w.do(putJob(org, j), exec(`INSERT INTO export_build (organization, job, request, erased, parts, skipped, row_count, progress, chosen, looked, line, turn, watched, failures, attempt, deaths, lease, version)
VALUES ($1, $2, $3, 0, 0, 0, 0, 0, $4, 0, $5, $6, 0, 0, 0, 0, 0, 1)`, org, j.ID, string(text), int64(notChosen), line, micros(s.now())))
	})
	return j, err
}

// lookFor looks for the columns that a request names in the first of the captures
// that it is about. Not to be found among all of them is an error.
func (s *Store) lookFor(ctx context.Context, org id, r export.Request) error {
	wanted := slices.Clone(r.Metrics)
	if r.RowFilter != export.EveryFrame && r.RowFilter != export.FrameZero {
		wanted = append(wanted, r.RowFilter)
	}
	if len(wanted) == 0 {
		return nil
	}
	missing := newWanted(r)
	looked := 0
	err := s.engine.read(ctx, org, func(t tx) error {
		return s.eachChosen(t, org, r, func(c chosen) (bool, error) {
			var raw []byte
			var rate float64
			if err := t.do(each(func(row rows) error { return row.Scan(&raw, &rate) },
				`SELECT info, rate FROM recording WHERE organization = $1 AND session_id = $2`, org, c.session)); err != nil {
				return false, err
			}
			if info, err := infoOf(raw, rate); err == nil {
				missing.see(info)
			}
			looked++
			return len(missing) > 0 && looked < export.LookedAt, nil
		})
	})
	if err != nil || looked == 0 || looked >= export.LookedAt {
		return err
	}
	return missing.fault()
}

// wanted are names of columns that were not found yet, with the field that names them.
// Behind "metrics" and a blank stand the columns of a channel that has the name.
type wanted map[string]string

func newWanted(r export.Request) wanted {
	w := wanted{}
	for _, name := range r.Metrics {
		w[name] = "metrics"
	}
	if r.RowFilter != export.EveryFrame && r.RowFilter != export.FrameZero {
		w[r.RowFilter] = "row_filter_column"
	}
	return w
}

// see takes what a recording has off the list. A row filter wants an event.
func (w wanted) see(info frames.Info) {
	if len(w) == 0 {
		return
	}
	for _, c := range info.Channels {
		if w[c.Name] == "metrics" {
			w[c.Name] += " " + strings.Join(c.Columns, ", ")
		}
		for _, name := range c.Columns {
			if strings.HasPrefix(w[name], "metrics") {
				delete(w, name)
			}
		}
	}
	for _, m := range info.MetricColumns() {
		if strings.HasPrefix(w[m.Name], "metrics") {
			delete(w, m.Name)
		}
	}
	for _, e := range info.EventColumns() {
		delete(w, e.Name)
	}
}

// fault names what was not found; nil when everything was.
func (w wanted) fault() error {
	var p fault.Problems
	for name, field := range w {
		what := "a column"
		field, parts, _ := strings.Cut(field, " ")
		if field == "row_filter_column" {
			what = "an event"
		}
		if field == "metrics" && slices.Contains(frames.Reserved, name) {
			p.Add(field, "metrics chooses among the captures' own columns: leave %q out, which is one of the first of every row", name)
			continue
		}
		if parts != "" {
			p.Add(field, "%s names %q, which is no column; its columns are %s", field, name, parts)
			continue
		}
		p.Add(field, "%s names %q, %s that none of the captures has", field, name, what)
	}
	slices.SortFunc(p, func(a, b fault.Problem) int {
		return slices.Compare([]string{a.Field, a.Message}, []string{b.Field, b.Message})
	})
	return p.Err()
}

// CancelJob ends a running job.
func (s *Store) CancelJob(ctx context.Context, sc organization.Scope, jobID string, once *organization.Once) (export.Job, error) {
	org, err := scope(sc)
	if err != nil {
		return export.Job{}, err
	}
	var j export.Job
	err = s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		if err := s.engine.line(w); err != nil {
			return nil, id{}, err
		}
		var err error
		if j, err = lockJob(w, jobID); err != nil {
			return nil, id{}, err
		}
		if j.Status != export.Running {
			return nil, id{}, fault.New(fault.Conflict, "only a RUNNING job can be canceled; this one is %s", j.Status)
		}
		key, _ := parseID(j.ID)
		err = s.end(w, &j, export.Canceled, "")
		return j, key, err
	})
	return j, err
}
