package store

import (
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// textBlock is a block of the list.
type textBlock struct {
	id    int64
	low   capture.Key
	texts *search.Block // nil when it is not in memory
	fresh bool          // texts are those of the list's generation
	of    *segment      // never nil once the blocks are laid out
	place int           // in of.blocks
	at    int           // in texts.order
}

// segment is blocks that follow each other and are looked through together.
type segment struct {
	blocks  []*textBlock
	version uint64          // another one after each change of a block
	texts   *search.Segment // nil when it is not in memory
}

// fresh says whether all of the segment is in memory as it is in the snapshot.
func (s *segment) fresh() bool {
	return s.texts != nil && !slices.ContainsFunc(s.blocks, func(b *textBlock) bool { return !b.fresh })
}

// keep sets the texts of a segment, nil to let go of them.
func (x *texts) keep(s *segment, texts *search.Segment) {
	if s.texts != nil {
		x.size -= s.texts.Bytes()
	}
	if s.texts = texts; texts != nil {
		x.size += texts.Bytes()
	}
}

// layOut puts the blocks in order and into segments. A segment stays where its blocks still
// follow each other and no other one has come among them or behind them.
func (x *texts) layOut() {
	slices.SortFunc(x.order, func(a, b *textBlock) int { return a.low.Compare(b.low) })
	former := x.segments
	x.segments = nil
	var loose []*textBlock // of no segment that stays
	for i := 0; i < len(x.order); {
		if s := x.order[i].of; s != nil && s.begins(x.order[i:]) {
			x.group(loose)
			loose = nil
			x.segments = append(x.segments, s)
			i += len(s.blocks)
			continue
		}
		if last := len(x.segments) - 1; last >= 0 && loose == nil {
			loose = slices.Clone(x.segments[last].blocks)
			x.segments = x.segments[:last]
		}
		loose = append(loose, x.order[i])
		i++
	}
	x.group(loose)
	for _, s := range former {
		if s.blocks[0].of != s {
			x.keep(s, nil)
		}
	}
	for i, b := range x.order {
		b.at = i
	}
}

// begins says whether the first of some blocks are those of the segment.
func (s *segment) begins(blocks []*textBlock) bool {
	return len(s.blocks) <= len(blocks) && slices.Equal(s.blocks, blocks[:len(s.blocks)])
}

// group makes segments of blocks, of about one size.
func (x *texts) group(blocks []*textBlock) {
	parts := (len(blocks) + x.most - 1) / x.most
	for n := range parts {
		x.next++
		s := &segment{blocks: blocks[len(blocks)*n/parts : len(blocks)*(n+1)/parts], version: x.next}
		for i, b := range s.blocks {
			b.of, b.place = s, i
		}
		x.segments = append(x.segments, s)
	}
}

// hold brings a segment into memory, as it is in the snapshot.
func (p *pager) hold(x *texts, s *segment) error {
	for i := 0; i < len(s.blocks); i++ {
		end := i
		for end < len(s.blocks) && !s.blocks[end].fresh {
			end++
		}
		if end == i {
			continue
		}
		blocks, err := p.load(x, s.blocks[i].at, s.blocks[end-1].at+1, x.patterns)
		if err != nil {
			return err
		}
		for ; i < end; i++ {
			b := s.blocks[i]
			x.patterns.LeaveAll(b.texts)
			b.texts, b.fresh = blocks[0], true
			blocks = blocks[1:]
			if s.texts == nil {
				continue
			}
			x.size -= s.texts.Bytes()
			whole := s.texts.Replace(b.place, b.texts)
			x.size += s.texts.Bytes()
			if !whole {
				x.keep(s, nil)
			}
		}
	}
	if s.texts == nil {
		texts := make([]*search.Block, len(s.blocks))
		for i, b := range s.blocks {
			texts[i] = b.texts
		}
		x.keep(s, search.NewSegment(texts))
	}
	for i, b := range s.blocks {
		b.texts = s.texts.Block(i)
	}
	return nil
}

// makeRoom lets go of indexes, from the end of the list on, and then of a segment, when the texts
// take more than there is room for.
func (x *texts) makeRoom(limit int, s *segment) {
	limit -= x.fixed()
	for i := len(x.segments) - 1; i >= 0 && x.size > limit; i-- {
		if t := x.segments[i].texts; t != nil {
			x.size -= t.Bytes()
			t.Forget()
			x.size += t.Bytes()
		}
	}
	if x.size > limit {
		x.keep(s, nil)
		for _, b := range s.blocks {
			x.letGo(b)
		}
	}
}

// letGo lets go of a block's texts.
func (x *texts) letGo(b *textBlock) {
	x.patterns.LeaveAll(b.texts)
	b.texts, b.fresh = nil, false
}

// textsOf gives the texts of a block, and reads them where there is no room for its segment.
func (p *pager) textsOf(x *texts, b *textBlock) (*search.Block, error) {
	if b.fresh {
		return b.texts, nil
	}
	if texts := p.read[b]; texts != nil {
		return texts, nil
	}
	blocks, err := p.load(x, b.at, b.at+1, nil)
	if err != nil {
		return nil, err
	}
	if p.read == nil {
		p.read = map[*textBlock]*search.Block{}
	}
	p.read[b] = blocks[0]
	return blocks[0], nil
}

// load reads the texts of the blocks from…to of the order, and patterns of their rows unless that is nil.
func (p *pager) load(x *texts, from, to int, patterns *search.Patterns) ([]*search.Block, error) {
	high := tally.Last
	if to < len(x.order) {
		high = x.order[to].low
	}
	l := loading{x: x, patterns: patterns, from: from, to: to, blocks: make([]*search.Block, 0, to-from)}
	body := ``
	if patterns != nil {
		body = `, r.body`
	}
	if err := p.t.Do(db.Each(l.row, `SELECT r.sort_time, r.session_id, r.athlete, r.combination, `+fileOf+body+
		` FROM capture_row r /*+ NOT INDEXED */ WHERE r.organization = $1`+inStretch+alongList+
		`ORDER BY r.sort_time, r.session_id, r.athlete`,
		p.org, x.order[from].low.Time, x.order[from].low.SessionID, high.Time, high.SessionID)); err != nil {
		l.leave()
		return nil, err
	}
	for len(l.blocks) < to-from {
		l.finish()
	}
	return l.blocks, nil
}

// loading makes blocks of rows as they come.
type loading struct {
	x        *texts
	patterns *search.Patterns
	from, to int
	blocks   []*search.Block
	docs     []search.Doc // of the block after those
	pattern  []byte
}

func (l *loading) row(r db.Rows) error {
	var key capture.Key
	var athlete db.ID
	var combination int64
	var file string
	columns := []any{&key.Time, &key.SessionID, &athlete, &combination, &file, nil}
	if l.patterns == nil {
		columns = columns[:5]
	}
	if err := r.Scan(columns...); err != nil {
		return err
	}
	for at := l.from + len(l.blocks); at+1 < l.to && l.x.order[at+1].low.Compare(key) <= 0; at++ {
		l.finish()
	}
	first := len(l.docs) == 0 || l.docs[len(l.docs)-1].Key != key
	if first {
		l.docs = append(l.docs, search.Doc{Key: key, Combination: uint32(combination), File: file})
	}
	d := &l.docs[len(l.docs)-1]
	who := ""
	if athlete != (db.ID{}) {
		who = athlete.String()
		d.Athletes = append(d.Athletes, l.x.people.Number(athlete))
	}
	if l.patterns == nil || !first && d.Pattern == 0 {
		return nil
	}
	pattern, ok := key.AppendPattern(l.pattern[:0], r.Raw(5), who)
	l.pattern = pattern
	switch {
	case first && ok:
		d.Pattern = l.patterns.Use(pattern)
	case !first && !(ok && string(pattern) == l.patterns.Text(d.Pattern)): // rows of a capture that differ are not held
		l.patterns.Leave(d.Pattern)
		d.Pattern = 0
	}
	return nil
}

func (l *loading) finish() {
	l.blocks = append(l.blocks, search.NewBlock(l.docs))
	l.docs = l.docs[:0]
}

// leave lets go of what a load that failed has used.
func (l *loading) leave() {
	if l.patterns == nil {
		return
	}
	for _, b := range l.blocks {
		l.patterns.LeaveAll(b)
	}
	for _, d := range l.docs {
		l.patterns.Leave(d.Pattern)
	}
}
