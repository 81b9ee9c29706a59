package tally

import "github.com/kinebase/kinebase/capture"

// Before counts what a set selects before a place in the list. The whole blocks before
// it are added up; the rows of the stretch, which lie in the block that holds the place,
// are left for the caller to count. Changes that wait in the stretch are among its rows.
func (l *List) Before(set Set, p Pending, place capture.Key) (sum Count, rest Stretch) {
	rest = Stretch{First, place}
	g, b, ok := l.find(place)
	if !ok || g == 0 && b == 0 { // what lies before the first block belongs to it
		return sum, rest
	}
	for i := range g {
		sum.add(l.groups[i].sum.Sum(set))
	}
	for i := range b {
		eachCount(l.groups[g].blocks[i].Counts, func(n Pair) {
			if set.Has(n.Combination) {
				sum.add(n.Count)
			}
		})
	}
	rest.Low = l.groups[g].blocks[b].Low
	for i := range p.changes {
		if c := &p.changes[i]; c.key.Compare(rest.Low) < 0 && set.Has(c.combination) {
			sum.add(c.count)
		}
	}
	return sum, rest
}
