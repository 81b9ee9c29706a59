package store

import (
	"encoding/json"

	"github.com/kinebase/kinebase/internal/store/db"
)

// readSaying reads what an organization says once for all its recordings, which a table has as JSON; nil where
// it has said nothing.
func readSaying[T any](into **T, query string, org db.ID) db.Statement {
	*into = nil
	return db.Each(func(r db.Rows) error {
		var raw []byte
		if err := r.Scan(&raw); err != nil {
			return err
		}
		*into = new(T)
		return json.Unmarshal(raw, *into)
	}, query, org)
}

// allowed locks what the organization of a transaction says, so that of two writers the second one sees what the
// first has written, and gives it when allow lets it be replaced.
func allowed[T any](w *writeTx, lock db.Statement, read func(db.ID, **T) db.Statement, allow func(*T) error) (before *T,
	err error) {
	if err := w.Do(lock); err != nil {
		return nil, err
	}
	if err := w.Do(read(w.Org, &before)); err != nil {
		return nil, err
	}
	return before, allow(before)
}
