package store

import (
	"encoding/json"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/upload"
)

// The parts that an answer includes beside the fields of the interface are not kept in the
// ready rows: it is looked up for the rows of the page, in the page's snapshot.

// rowOf names a row of the list: a capture and one of its athletes.
type rowOf struct {
	session string
	athlete db.ID // the zero id: nobody
}

// included looks up what belongs to each of the rows.
func included(t db.Tx, org db.ID, i capture.Include, of []rowOf) ([]capture.Included, error) {
	sessions, athletes := map[string]*capture.Included{}, map[db.ID]*string{}
	for _, r := range of {
		sessions[r.session] = new(capture.Included)
		if r.athlete != (db.ID{}) {
			athletes[r.athlete] = nil
		}
	}
	var statements []db.Statement
	for part := range slices.Chunk(keys(sessions), writeChunk) {
		in, args := parameterList(org, part, func(session string) any { return session })
		if i&capture.IncludeUpdated != 0 {
			statements = append(statements, db.Each(func(r db.Rows) error {
				var session string
				var updated int64
				err := r.Scan(&session, &updated)
				if to := sessions[session]; to != nil {
					to.UpdatedAt = db.FromMicros(updated)
				}
				return err
			}, `SELECT session_id, updated_at FROM capture WHERE organization = $1 AND session_id IN (`+in+`)`,
				args...))
		}
		if i&(capture.IncludeFile|capture.IncludeWarnings|capture.IncludeTime) != 0 {
			statements = append(statements, db.Each(func(r db.Rows) error {
				var session, name string
				var from upload.TimeSource
				var warnings *int64
				var info []byte
				if err := r.Scan(&session, &name, (*int64)(&from), &warnings, &info); err != nil {
					return err
				}
				to := sessions[session]
				if to == nil {
					return nil
				}
				if to.Warnings = warnings; warnings == nil {
					to.Warnings = countWarnings(info)
				}
				if name != "" {
					to.FileName = &name
				}
				if told := from.String(); told != "" {
					to.TimeFrom = &told
				}
				return nil
			}, `SELECT f.session_id, f.file_name, f.time_given, CASE WHEN c.status <> 'processing' THEN f.warnings END, CASE WHEN c.status <> 'processing' AND f.warnings IS NULL THEN f.info END FROM recording f JOIN capture c ON c.organization = f.organization AND c.session_id = f.session_id WHERE f.organization = $1 AND f.session_id IN (`+in+`)`, args...))
		}
	}
	if i&capture.IncludeAthlete != 0 {
		for part := range slices.Chunk(keys(athletes), writeChunk) {
			in, args := parameterList(org, part, func(a db.ID) any { return a })
			statements = append(statements, db.Each(func(r db.Rows) error {
				var key db.ID
				var first, last string
				err := r.Scan(&key, &first, &last)
				name := fullName(first, last)
				athletes[key] = &name
				return err
			}, `SELECT id, first_name, last_name FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, args...))
		}
	}
	if err := t.Do(statements...); err != nil {
		return nil, err
	}
	all := make([]capture.Included, len(of))
	for n, r := range of {
		all[n] = *sessions[r.session]
		all[n].AthleteName = athletes[r.athlete]
	}
	return all, nil
}

func keys[K comparable, V any](m map[K]V) []K {
	list := make([]K, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	return list
}

// fullName is how an athlete is called where one text has to do.
func fullName(first, last string) string {
	if last == "" {
		return first
	}
	return first + " " + last
}

// countWarnings counts the warnings in frames.Info as JSON; nil without one.
func countWarnings(info []byte) *int64 {
	if len(info) == 0 {
		return nil
	}
	var file struct {
		Warnings []struct{} `json:"warnings"`
	}
	if json.Unmarshal(info, &file) != nil {
		return nil
	}
	n := int64(len(file.Warnings))
	return &n
}
