package client

import (
	"iter"
	"net/url"
	"strconv"
	"time"
)

// MaxLimit is the largest page that the server gives.
const MaxLimit = 500

// paging adds limit and offset to a query; 0 leaves the server's defaults.
func paging(q url.Values, limit int, offset int64) {
	if limit != 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	if offset != 0 {
		q.Set("offset", strconv.FormatInt(offset, 10))
	}
}

// set adds a parameter unless it is empty.
func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func setTime(q url.Values, name string, t *time.Time) {
	if t != nil {
		q.Set(name, t.UTC().Format(time.RFC3339Nano))
	}
}

// pages goes through a list page by page, from offset to the end, where next_offset
// says that the next page begins. total_count cannot tell where the end is, for it
// counts captures and not rows. Where a server does not say, a page that is not full
// is the last one. An error is the last thing given.
func pages[T any](limit int, offset int64,
	get func(limit int, offset int64) (rows []T, next *int64, err error)) iter.Seq2[T, error] {
	if limit == 0 {
		limit = MaxLimit
	}
	return func(yield func(T, error) bool) {
		for at := offset; ; {
			rows, next, err := get(limit, at)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			switch {
			case next != nil && *next > at:
				at = *next
			case len(rows) < limit:
				return
			default:
				at += int64(len(rows))
			}
		}
	}
}
