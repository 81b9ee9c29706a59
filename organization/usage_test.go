package organization

import (
	"testing"
	"time"
)

func on(day string) time.Time {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at
}

func TestPeriodsSayWhatIsKnownAndWhatIsMissing(t *testing.T) {
	days := []DayUsage{
		{on("2026-01-30"), Amounts{10, 1, 100, 0}},
		{on("2026-01-31"), Amounts{21, 2, 50, 7}},
		{on("2026-03-01"), Amounts{3, 2, 0, 0}},
	}
	created := on("2026-01-29").Add(23 * time.Hour)
	months := Periods(days, created, on("2026-01-01"), on("2026-03-02").Add(5*time.Hour), true)
	want := []PeriodUsage{
		// From where the organization was created; 15.5 captures and 3.5 bytes are rounded up.
		{on("2026-01-01"), 2, 1, Amounts{16, 2, 75, 4}, Amounts{21, 2, 100, 7}},
		{on("2026-02-01"), 0, 28, Amounts{}, Amounts{}},
		{on("2026-03-01"), 1, 1, Amounts{3, 2, 0, 0}, Amounts{3, 2, 0, 0}},
	}
	if len(months) != len(want) {
		t.Fatalf("there are %d months: %+v", len(months), months)
	}
	for i, p := range months {
		if p != want[i] {
			t.Errorf("the month is %+v and not %+v", p, want[i])
		}
	}
	var known, missing int64
	byDay := Periods(days, created, on("2026-01-01"), on("2026-03-02"), false)
	for _, p := range byDay {
		known, missing = known+p.Days, missing+p.Missing
		if p.Days+p.Missing != 1 || p.Average != p.Most {
			t.Errorf("the day is %+v", p)
		}
	}
	if len(byDay) != 33 || known != 3 || missing != 30 || byDay[0].From != on("2026-01-29") ||
		byDay[1].Most.Captures != 10 {
		t.Errorf("by day there are %d, of which %d are known and %d missing, from %v", len(byDay), known, missing,
			byDay[0])
	}
	if none := Periods(days, on("2026-04-01"), on("2026-01-01"), on("2026-03-02"), true); len(none) != 0 {
		t.Errorf("before it was created it had %+v", none)
	}
}

func TestOneAmountIsWithinAnotherWhenEachPartIs(t *testing.T) {
	most := Amounts{4, 3, 2, 1}
	if !most.Within(most) || !(Amounts{}).Within(most) {
		t.Error("what is not more is not within")
	}
	for _, a := range []Amounts{{Captures: 5}, {Athletes: 4}, {FileBytes: 3}, {ExportBytes: 2}} {
		if a.Within(most) {
			t.Errorf("%+v is within %+v", a, most)
		}
	}
}
