package intake

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestATransactionOfAnImportIsAsLargeAsTheStoreWritesInAMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 20_000).Draw(t, "most")
		each := time.Duration(rapid.IntRange(1, 2_000_000).Draw(t, "nanoseconds a record"))
		p := paced(most)
		for range 40 {
			p.took(p.records(), time.Duration(p.records())*each)
		}
		want := min(max(leastRecords, most), max(leastRecords, int(batchTime/each)))
		if got := p.records(); got < want-1 || got > want {
			t.Fatalf("at %v a record a transaction has %d records of at most %d, want %d", each, got, most, want)
		}
	})
}

func TestAnImportThatBecomesSlowHasSmallTransactionsAtOnce(t *testing.T) {
	p := paced(8_000)
	for range 10 {
		p.took(p.records(), 10*time.Millisecond)
	}
	if p.records() != 8_000 {
		t.Fatalf("a quick store gets %d records", p.records())
	}
	p.took(8_000, 8*batchTime)
	if p.records() != leastRecords {
		t.Errorf("after a transaction of %v the next one has %d records", 8*batchTime, p.records())
	}
}

func TestAShortTransactionDoesNotChangeTheNextOnes(t *testing.T) {
	p := paced(8_000)
	p.took(leastRecords/2-1, time.Hour)
	if p.records() != leastRecords {
		t.Errorf("the next one has %d records", p.records())
	}
	p.took(leastRecords, 0) // a clock that stands still
	if p.records() != 2*leastRecords {
		t.Errorf("the next one has %d records", p.records())
	}
}
