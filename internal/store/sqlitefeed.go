package store

import "context"

// stamp counts. There is one writer at a time, so that the order of the numbers is that of the commits.
func (e *sqliteEngine) stamp(w *writeTx) (number int64, err error) {
	err = w.do(one(into(&number), `UPDATE change_number SET last = last + 1 WHERE one = 1 RETURNING last`))
	return number, err
}

func (e *sqliteEngine) settled(ctx context.Context, org id) (ended, given int64, err error) {
	err = e.once(ctx, org, one(into(&given), `SELECT last FROM change_number WHERE one = 1`))
	return given, given, err
}
