package tally

import "github.com/kinebase/kinebase/capture"

// Pending are the changes that are not folded into a list yet, as the list
// counts them.
type Pending struct {
	changes []pendingChange
}

type pendingChange struct {
	key         capture.Key
	combination uint32
	count       Count
}

// PendingOf takes from the organization's changes those that concern a list:
// the organization's own (the zero athlete) or one athlete's.
func PendingOf(changes []Change, list Athlete) Pending {
	var p Pending
	for i := range changes {
		if n := changes[i].countIn(list); n != (Count{}) {
			p.changes = append(p.changes, pendingChange{changes[i].Key, changes[i].Combination, n})
		}
	}
	return p
}

// countIn is what the change adds to a list.
func (c *Change) countIn(list Athlete) Count {
	n := Count{1, int64(c.Rows())}
	if list != (Athlete{}) {
		n = Count{}
		for _, a := range c.Athletes {
			if a == list {
				n = Count{1, 1}
			}
		}
	}
	if c.Gone {
		n.Captures, n.Rows = -n.Captures, -n.Rows
	}
	return n
}

// Total counts what a set selects.
func (l *List) Total(set Set, p Pending) Count {
	sum := l.all.Sum(set)
	for i := range p.changes {
		if set.Has(p.changes[i].combination) {
			sum.add(p.changes[i].count)
		}
	}
	return sum
}

// Span is where the rows of a page lie.
type Span struct {
	Low     capture.Key // the rows lie from here,
	High    capture.Key // to before here,
	Open    bool        // or to the end
	Rest    int64       // selected rows to pass over from Low
	Matches int64       // selected rows in the span
	Rows    int64       // all rows in the span
}

// Span finds where the rows offset … offset+limit-1 of a selection lie, to
// within a block at either end. It is asked only with an offset before the end.
func (l *List) Span(set Set, p Pending, offset, limit int64) Span {
	s := Span{Low: First, Open: true}
	if len(l.groups) == 0 {
		s.Rest, s.Matches, s.Rows = offset, l.Total(set, p).Rows, l.Total(nil, p).Rows
		return s
	}
	w := walk{l: l, set: set, extra: l.spread(set, p)}
	var begun bool
	var seen int64 // selected rows before the block at hand
	w.blocks(func(skip bool, selected, all int64, low capture.Key) (more bool) {
		if !begun {
			if seen+selected <= offset { // not here: pass over
				seen += selected
				return true
			}
			if skip {
				return false
			}
			begun, s.Low, s.Rest = true, low, offset-seen
		} else if s.Matches-s.Rest >= limit {
			if skip {
				return false
			}
			s.High, s.Open = low, false
			w.done = true
			return true
		} else if skip && s.Matches+selected-s.Rest >= limit {
			return false
		}
		s.Matches += selected
		s.Rows += all
		return true
	})
	return s
}

// delta is what pending changes add to one block.
type delta struct{ selected, all int64 }

// spread lays the pending changes onto the blocks that they will be folded into.
func (l *List) spread(set Set, p Pending) map[[2]int]delta {
	if len(p.changes) == 0 {
		return nil
	}
	extra := make(map[[2]int]delta, min(len(p.changes), 64))
	for i := range p.changes {
		c := &p.changes[i]
		g, b, _ := l.find(c.key)
		for _, at := range [2][2]int{{g, b}, {g, -1}} { // the block, and its group as a whole
			d := extra[at]
			d.all += c.count.Rows
			if set.Has(c.combination) {
				d.selected += c.count.Rows
			}
			extra[at] = d
		}
	}
	return extra
}

// walk goes over groups, and into the blocks of a group where asked to.
type walk struct {
	l     *List
	set   Set
	extra map[[2]int]delta
	done  bool
}

// blocks calls visit with whole groups (skip) and, where visit answers false,
// with each block of the group instead.
func (w *walk) blocks(visit func(skip bool, selected, all int64, low capture.Key) bool) {
	for g := range w.l.groups {
		grp := &w.l.groups[g]
		d := w.extra[[2]int{g, -1}]
		selected := grp.rows
		if w.set != nil {
			selected = grp.sum.Sum(w.set).Rows
		}
		if visit(true, selected+d.selected, grp.rows+d.all, grp.blocks[0].Low) {
			if w.done {
				return
			}
			continue
		}
		for b := range grp.blocks {
			block := &grp.blocks[b]
			selected := block.rows
			if w.set != nil {
				selected = sumBytes(block.Counts, w.set)
			}
			d := w.extra[[2]int{g, b}]
			visit(false, selected+d.selected, block.rows+d.all, block.Low)
			if w.done {
				return
			}
		}
	}
}
