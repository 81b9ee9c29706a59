package organization

import "time"

// Amounts are what an organization has: numbers, and bytes of files and of results of exports.
type Amounts struct {
	Captures    int64 `json:"captures"`
	Athletes    int64 `json:"athletes"`
	FileBytes   int64 `json:"file_bytes"`
	ExportBytes int64 `json:"export_bytes"` // of results: their kept files, and what is kept of each capture in them
}

// each gives the parts of two amounts side by side.
func (a *Amounts) each(b *Amounts) [4][2]*int64 {
	return [4][2]*int64{{&a.Captures, &b.Captures}, {&a.Athletes, &b.Athletes}, {&a.FileBytes, &b.FileBytes},
		{&a.ExportBytes, &b.ExportBytes}}
}

// Within says that no part is more than that of the other.
func (a Amounts) Within(b Amounts) bool {
	for _, part := range a.each(&b) {
		if *part[0] > *part[1] {
			return false
		}
	}
	return true
}

// DayUsage is the most that an organization had on a day, as often as a server looked.
type DayUsage struct {
	Day time.Time // its midnight, UTC
	Amounts
}

// Day is the midnight, UTC, at which the day of a moment begins.
func Day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// Month is the midnight, UTC, at which the month of a moment begins.
func Month(at time.Time) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// PeriodUsage is what an organization had in a period.
type PeriodUsage struct {
	From    time.Time // where the period begins
	Days    int64     // of which something is known
	Missing int64     // of which nothing is known
	Average Amounts   // of the days that are known, each with its most; rounded to whole numbers
	Most    Amounts
}

// Periods puts days, of which there are none twice, into days or months from one day to another, both included. Days
// before the organization was created do not count. What is not known is missing, and is neither none nor carried on.
func Periods(days []DayUsage, created, from, to time.Time, months bool) []PeriodUsage {
	known := make(map[time.Time]Amounts, len(days))
	for _, d := range days {
		known[d.Day] = d.Amounts
	}
	begin := Day
	if months {
		begin = Month
	}
	from, to = Day(from), Day(to)
	if created = Day(created); from.Before(created) {
		from = created
	}
	var all []PeriodUsage
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		if len(all) == 0 || !all[len(all)-1].From.Equal(begin(day)) {
			all = append(all, PeriodUsage{From: begin(day)})
		}
		all[len(all)-1].add(known, day)
	}
	for i := range all {
		p := &all[i]
		for _, part := range p.Average.each(&p.Most) {
			if p.Days > 0 {
				*part[0] = (*part[0] + p.Days/2) / p.Days
			}
		}
	}
	return all
}

// add counts a day; Average is a sum until all are counted.
func (p *PeriodUsage) add(known map[time.Time]Amounts, day time.Time) {
	has, is := known[day]
	if !is {
		p.Missing++
		return
	}
	p.Days++
	for _, part := range p.Average.each(&has) {
		*part[0] += *part[1]
	}
	for _, part := range p.Most.each(&has) {
		*part[0] = max(*part[0], *part[1])
	}
}
