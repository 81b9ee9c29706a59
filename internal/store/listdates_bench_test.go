package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// BenchmarkPagesOfARangeOfDates reads, in turn, pages of ranges of dates and the pages at the same places of the list
// without dates, none of them remembered, and says how many times as long those with dates take at the median.
func BenchmarkPagesOfARangeOfDates(b *testing.B) {
	const captures = 60_000
	s, err := Open(b.Context(), Options{Data: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	sc := organization.Scope{Organization: organization.NewID()}
	if err := s.CreateOrganization(b.Context(),
		organization.Organization{ID: sc.Organization, Name: "A", CreatedAt: noon}); err != nil {
		b.Fatal(err)
	}
	all := make([]manifest.Record, captures)
	for i := range all { // the newest one first, a second apart
		c := session(fmt.Sprintf("session-%06d", i), ptr(noon.Add(-time.Duration(i)*time.Second)))
		c.Activity, c.Movement = ptr([]string{"jump", "golf", "run"}[i%3]), ptr(fmt.Sprint("movement ", i%20))
		all[i] = manifest.Record{Capture: &c}
	}
	for part := range slices.Chunk(all, 5000) {
		if _, err := s.Import(b.Context(), sc, part, false); err != nil {
			b.Fatal(err)
		}
	}
	org, _ := organization.ParseID(sc.Organization.String())
	if err := s.fold(b.Context(), org, nil); err != nil {
		b.Fatal(err)
	}
	for _, one := range []struct {
		name  string
		q     capture.Query
		every int // captures to one that matches
	}{
		{"all", capture.Query{}, 1},
		{"a third", capture.Query{Filter: capture.Filter{Activity: "jump"}}, 3},
		{"a sixtieth", capture.Query{Filter: capture.Filter{Activity: "golf", Movement: "movement 1"}}, 60},
		{"searched", capture.Query{Search: "session-"}, 1},
	} {
		for _, offset := range []int64{0, 200} {
			b.Run(fmt.Sprintf("%s at offset %d", one.name, offset), func(b *testing.B) {
				var with, without []time.Duration
				look := func(q capture.Query) time.Duration {
					q.Limit = 100
					begin := time.Now()
					if _, err := s.Captures(b.Context(), sc, q); err != nil {
						b.Fatal(err)
					}
					return time.Since(begin)
				}
				look(one.q)
				for b.Loop() {
					place := (len(with)*7919 + 1) % 30_000 // another one each time
					to, from := noon.Add(-time.Duration(place)*time.Second),
						noon.Add(-time.Duration(place+25_000)*time.Second)
					dated, plain := one.q, one.q
					dated.Captured, dated.Offset = capture.RangeOf(&from, &to), offset
					plain.Offset = offset + int64(place/one.every)
					with, without = append(with, look(dated)), append(without, look(plain))
				}
				slices.Sort(with)
				slices.Sort(without)
				middle := len(with) / 2
				b.ReportMetric(float64(with[middle])/float64(without[middle]), "times")
				b.ReportMetric(float64(with[middle].Microseconds()), "µs/dated")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
