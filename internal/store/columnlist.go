package store

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// columnSets remembers sets of columns, which never change under their hash.
type columnSets struct {
	lock sync.Mutex
	sets map[columnSet][]frames.Column
	size int // columns
}

type columnSet struct {
	org  db.ID
	hash string
}

// maxColumnSets bounds what is remembered, in columns; past it everything is read again.
const maxColumnSets = 200_000

func (c *columnSets) get(of columnSet) ([]frames.Column, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	list, ok := c.sets[of]
	return list, ok
}

func (c *columnSets) put(of columnSet, list []frames.Column) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.sets == nil || c.size+len(list) > maxColumnSets {
		c.sets, c.size = map[columnSet][]frames.Column{}, 0
	}
	if _, ok := c.sets[of]; !ok {
		c.sets[of] = list
		c.size += len(list)
	}
}

// Columns counts the columns of recordings, in one snapshot, from the counts of their sets.
func (s *Store) Columns(ctx context.Context, sc organization.Scope, q capture.ColumnQuery) (page capture.ColumnPage,
	err error) {
	org := sc.Organization
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		page = capture.ColumnPage{}
		var uncounted bool
		counts := map[columnKey]int64{}
		if err := t.Do(
			db.One(db.Into(&uncounted),
				`SELECT EXISTS (SELECT 1 FROM recording /*+ INDEXED BY recording_uncounted */ WHERE organization = $1 AND counted IS NULL)`, org),
			db.Each(func(r db.Rows) error {
				var k columnKey
				var captures int64
				err := r.Scan(&k.hash, &k.activity, &k.movement, &captures)
				if q.Takes(k.activity, k.movement) {
					counts[k] += captures
				}
				return err
			}, `SELECT hash, activity, movement, captures FROM column_count WHERE organization = $1
UNION ALL SELECT hash, activity, movement, captures FROM column_delta WHERE organization = $1`, org)); err != nil {
			return err
		}
		if uncounted {
			return fault.Busy(nil, 5*time.Second,
				"The columns of recordings that an older version has read are being counted. Try again in a moment.")
		}
		uses := map[capture.ColumnUse]int64{}
		for k, captures := range counts {
			if captures <= 0 {
				continue
			}
			list, err := s.columnsOfSet(t, columnSet{org, k.hash})
			if err != nil {
				return err
			}
			for _, c := range list {
				if q.Picks(c) {
					uses[capture.ColumnUse{Activity: k.activity, Movement: k.movement, Column: c}] += captures
				}
			}
		}
		all := make([]capture.ColumnUse, 0, len(uses))
		for u, captures := range uses {
			u.Captures = captures
			all = append(all, u)
		}
		page = q.Page(all)
		return nil
	})
	return page, db.ToFault(err)
}

// columnsOfSet gives the columns of a set that some recording has.
func (s *Store) columnsOfSet(t db.Tx, of columnSet) ([]frames.Column, error) {
	if list, ok := s.columnSets.get(of); ok {
		return list, nil
	}
	var raw []byte
	if err := t.Do(db.One(db.Into(&raw),
		`SELECT columns FROM (SELECT columns FROM column_count WHERE organization = $1 AND hash = $2
UNION ALL SELECT columns FROM column_delta WHERE organization = $1 AND hash = $2 AND captures > 0) AS every LIMIT 1`, of.org, of.hash)); err != nil {
		return nil, err
	}
	var list []frames.Column
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	s.columnSets.put(of, list)
	return list, nil
}
