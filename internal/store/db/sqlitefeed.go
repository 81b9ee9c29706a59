package db

import "context"

// stamp counts. There is one writer at a time, so that the order of the numbers is that of the commits.
func (e *SQLite) stamp(w *Write, more []Statement) (number int64, err error) {
	err = w.Do(append([]Statement{
		One(Into(&number), `UPDATE change_number SET last = last + 1 WHERE one = 1 RETURNING last`)}, more...)...)
	return number, err
}

// Settled gives the last number twice: there is one writer at a time.
func (e *SQLite) Settled(ctx context.Context, org ID) (ended, given int64, err error) {
	err = e.Once(ctx, org, One(Into(&given), `SELECT last FROM change_number WHERE one = 1`))
	return given, given, err
}
