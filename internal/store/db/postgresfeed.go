package db

import "context"

// A number is out of a sequence, so that no writer waits for another. A transaction that has one may commit after
// others that have later ones: so each first takes a lock that everybody can have, whose key says from which number on
// its own one is. A reader goes no further than the lowest of these keys; see docs/adr/0029-changes.md.

// numberBits are the bits of a lock's key that are a number; those above are the organization's mark.
const numberBits = 48

// markOf tells organizations apart for the most part: two that share a mark wait for each other's transactions.
func markOf(org ID) int64 { return int64(org[14])<<8 | int64(org[15]) }

func (e *Postgres) stamp(w *Write, more []Statement) (number int64, err error) {
	err = w.Do(append([]Statement{
		Exec(`SELECT pg_advisory_xact_lock_shared($1::bigint + pg_sequence_last_value('change_number'))`,
			markOf(w.Org)<<numberBits),
		One(Into(&number), `SELECT nextval('change_number')`)}, more...)...)
	return number, err
}

// Settled reads the last number before it looks at the locks: whoever takes a lock later gets a later number.
func (e *Postgres) Settled(ctx context.Context, org ID) (ended, given int64, err error) {
	mark := markOf(org)
	if org == (ID{}) {
		mark = -1
	}
	var first *int64
	err = e.Once(ctx, org,
		One(Into(&given), `SELECT pg_sequence_last_value('change_number')`),
		One(Into(&first), `SELECT min(((l.classid::bigint & 65535) << 32) | l.objid::bigint) FROM pg_locks l
WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.mode = 'ShareLock'
AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
AND ($1::bigint < 0 OR l.classid::bigint >> 16 = $1)`, mark))
	if ended = given; first != nil {
		ended = min(ended, *first)
	}
	return ended, given, err
}
