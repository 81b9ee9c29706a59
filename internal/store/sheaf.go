package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/kinebase/kinebase/internal/store/db"
)

// sheaf holds the new captures of a long transaction back until they can be written in the order
// of the trees that they go into. Ids are random, so that each capture lies on a page of its own
// in a large table; of many that are written in their order, several share one, and no page is
// written twice. The rows are kept as bytes, which takes a fifth of the memory that the values
// would, and nothing that a collector of garbage has to follow.
type sheaf struct {
	captures, rows bundle
	most           int                 // bytes, see sheafBytes
	ids            map[uint64]struct{} // hashes of the session ids
	seed           maphash.Seed
}

// sheafBytes is how much is held back: some 37,000 captures. The pages of the rows that are written together
// must fit into the cache of the connection, see sheafCache.
const sheafBytes = 20 << 20

func newSheaf(most int) *sheaf {
	return &sheaf{
		most: cmp.Or(most, sheafBytes),
		// A row lies near the others of its time, which are those of the sheaf, and its entry by athlete lies
		// anywhere: so the athletes lead.
		captures: bundle{head: captureHead, first: []int{1}, placed: true},
		rows:     bundle{head: captureRowHead, first: []int{3, 1}},
		ids:      map[uint64]struct{}{}, seed: maphash.MakeSeed(),
	}
}

// put takes a capture without its position and its rows, otherwise as they are given to insertMany.
func (s *sheaf) put(session string, capture []any, rows [][]any) {
	s.ids[maphash.String(s.seed, session)] = struct{}{}
	s.captures.add(capture)
	for _, r := range rows {
		s.rows.add(r)
	}
}

// full says that it is time to write.
func (s *sheaf) full() bool { return s.captures.size+s.rows.size >= s.most }

// may says whether one of the captures is possibly held back. It is, whenever one is.
func (s *sheaf) may(sessions []string) bool {
	if s == nil || len(s.ids) == 0 {
		return false
	}
	return slices.ContainsFunc(sessions, func(session string) bool {
		_, ok := s.ids[maphash.String(s.seed, session)]
		return ok
	})
}

// write writes what is held back and empties the sheaf.
func (s *sheaf) write(w *writeTx) error {
	clear(s.ids)
	for _, b := range []*bundle{&s.captures, &s.rows} {
		if err := b.write(w); err != nil {
			return err
		}
	}
	return nil
}

// bundle has rows of one table.
type bundle struct {
	head   string // of their INSERT
	first  []int  // the columns in whose order they are written; the organization is the same in all
	placed bool   // the last column is the row's position in the feed, which rises in the order of writing
	width  int
	blocks [][]byte // of blockBytes; they are used again
	used   int      // how many of them are
	size   int
	starts []spot
}

// spot is where a row begins.
type spot struct{ block, at uint32 }

const (
	blockBytes = 1 << 20
	spare      = 4 << 10 // more than most rows
)

func (b *bundle) add(row []any) {
	b.width = len(row)
	to := b.room()
	before := len(*to)
	b.starts = append(b.starts, spot{uint32(b.used - 1), uint32(before)})
	for _, n := range b.first {
		*to = appendValue(*to, row[n])
	}
	for n, v := range row {
		if !slices.Contains(b.first, n) {
			*to = appendValue(*to, v)
		}
	}
	b.size += len(*to) - before
}

// room gives the block that the next row goes to. A long row makes its block longer.
func (b *bundle) room() *[]byte {
	if b.used > 0 && len(b.blocks[b.used-1]) < blockBytes-spare {
		return &b.blocks[b.used-1]
	}
	if b.used == len(b.blocks) {
		b.blocks = append(b.blocks, make([]byte, 0, blockBytes))
	}
	b.used++
	return &b.blocks[b.used-1]
}

func (b *bundle) at(s spot) []byte { return b.blocks[s.block][s.at:] }

func (b *bundle) write(w *writeTx) error {
	slices.SortFunc(b.starts, func(x, y spot) int { return bytes.Compare(b.at(x), b.at(y)) })
	for part := range slices.Chunk(b.starts, insertRows) {
		values := make([][]any, len(part))
		for i, start := range part {
			var err error
			if values[i], err = b.row(b.at(start)); err != nil {
				return err
			}
			if b.placed {
				position, err := w.position()
				if err != nil {
					return err
				}
				values[i] = append(values[i], position)
			}
		}
		if err := w.Do(insertMany(b.head, values)...); err != nil {
			return err
		}
	}
	for i := range b.blocks[:b.used] {
		b.blocks[i] = b.blocks[i][:0]
	}
	b.used, b.size, b.starts = 0, 0, b.starts[:0]
	return nil
}

// row reads the row that begins at rest.
func (b *bundle) row(rest []byte) (row []any, err error) {
	row = make([]any, b.width)
	for _, n := range b.first {
		if row[n], rest, err = value(rest); err != nil {
			return nil, err
		}
	}
	for n := range row {
		if !slices.Contains(b.first, n) {
			if row[n], rest, err = value(rest); err != nil {
				return nil, err
			}
		}
	}
	return row, nil
}

// The kinds of values. Numbers are written so that their bytes have their order.
const (
	noValue = iota
	anID
	aNumber
	aFloat
	aText
	aBlob
)

// appendValue appends an argument of a statement; that of a pointer is what it points to.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, noValue)
	case db.ID:
		return append(append(b, anID), v[:]...)
	case int64:
		return binary.BigEndian.AppendUint64(append(b, aNumber), uint64(v)^1<<63)
	case float64:
		return binary.BigEndian.AppendUint64(append(b, aFloat), math.Float64bits(v))
	case string:
		return append(binary.AppendUvarint(append(b, aText), uint64(len(v))), v...)
	case []byte:
		if v == nil {
			return append(b, noValue)
		}
		return append(binary.AppendUvarint(append(b, aBlob), uint64(len(v))), v...)
	case *string:
		if v == nil {
			return append(b, noValue)
		}
		return appendValue(b, *v)
	case *float64:
		if v == nil {
			return append(b, noValue)
		}
		return appendValue(b, *v)
	}
	panic(fmt.Sprintf("store: a %T cannot be held back", v))
}

// value gives the first value of b, and what follows it.
func value(b []byte) (any, []byte, error) {
	kind, b := b[0], b[1:]
	switch kind {
	case noValue:
		return nil, b, nil
	case anID:
		return db.ID(b[:16]), b[16:], nil
	case aNumber:
		return int64(binary.BigEndian.Uint64(b) ^ 1<<63), b[8:], nil
	case aFloat:
		return math.Float64frombits(binary.BigEndian.Uint64(b)), b[8:], nil
	case aText, aBlob:
		n, size := binary.Uvarint(b)
		text := b[size : size+int(n)]
		if kind == aText {
			return string(text), b[size+int(n):], nil
		}
		return slices.Clone(text), b[size+int(n):], nil
	}
	return nil, nil, fmt.Errorf("store: %d is no kind of value", kind)
}
