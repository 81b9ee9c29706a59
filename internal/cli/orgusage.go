package cli

import (
	"context"
	"encoding/csv"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

type orgUsageCmd struct {
	ID   string `arg:"" optional:"" help:"The organization's id; with --by all organizations when absent."`
	By   string `name:"by" enum:"day,month," default:"" help:"Say what was there over time, by 'day' or 'month' (UTC)."`
	From string `name:"from" placeholder:"DAY" help:"With --by, the first day, such as 2026-05-13; the first that is known when absent."`
	To   string `name:"to" placeholder:"DAY" help:"With --by, the last day, included; today when absent."`
	CSV  bool   `name:"csv" xor:"print" help:"With --by, print CSV, for spreadsheets."`
	JSON bool   `name:"json" xor:"print" help:"Print JSON, for programs."`
	storeFlags
}

// Run says what the organization has, or what one or all of them had over time.
func (c *orgUsageCmd) Run(ctx context.Context, w *World) error {
	switch {
	case c.By != "":
		return c.overTime(ctx, w)
	case c.From != "" || c.To != "" || c.CSV:
		return usage("--from, --to and --csv need --by")
	case c.ID == "":
		return usage("name an organization, or say --by day or --by month for all of them")
	}
	one := oneOrg{ID: c.ID, storeFlags: c.storeFlags}
	return one.on(ctx, w, nil, func(s *store.Store, id organization.ID) error {
		if err := exists(ctx, s, id); err != nil {
			return err
		}
		u, err := s.Usage(ctx, operator(id))
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(u)
		}
		row := func(what string, has int64, may *int64) []string {
			return []string{what, strconv.FormatInt(has, 10), allowed(may)}
		}
		return w.table([]string{"WHAT", "HAS", "MAY HAVE"}, [][]string{
			row("captures", u.Captures, u.Quota.Captures), row("athletes", u.Athletes, nil),
			row("bytes of files", u.FileBytes, u.Quota.FileBytes),
			row("bytes of exports", u.ExportBytes, u.Quota.ExportBytes),
		})
	})
}

// usagePeriod is what an organization had in a day or month. Average and Most are null where nothing is known.
type usagePeriod struct {
	Organization string                `json:"organization"`
	Name         string                `json:"name"`
	Period       string                `json:"period"`
	Days         int64                 `json:"days"`
	Missing      int64                 `json:"missing_days"`
	Average      *organization.Amounts `json:"average"`
	Most         *organization.Amounts `json:"most"`
}

// overTime prints periods, organization by organization.
func (c *orgUsageCmd) overTime(ctx context.Context, w *World) error {
	from, err := parseDay("--from", c.From, time.Unix(0, 0))
	if err != nil {
		return err
	}
	to, err := parseDay("--to", c.To, time.Now())
	if err != nil {
		return err
	}
	var only organization.ID
	if c.ID != "" {
		if only, err = parseID("ID", c.ID); err != nil {
			return err
		}
	}
	return c.with(ctx, w, func(s *store.Store) error {
		if c.ID != "" {
			if err := exists(ctx, s, only); err != nil {
				return err
			}
		}
		all, err := s.Organizations(ctx)
		if err != nil {
			return err
		}
		periods := []usagePeriod{}
		for _, o := range all {
			if c.ID != "" && o.ID != only {
				continue
			}
			days, err := s.UsageDays(ctx, operator(o.ID), from, to)
			if err != nil {
				return err
			}
			periods = append(periods, c.periods(o, days, from, to)...)
		}
		return c.print(w, periods)
	})
}

// periods puts the days of an organization into periods. Without --from they begin where something is known.
func (c *orgUsageCmd) periods(o organization.Organization, days []organization.DayUsage,
	from, to time.Time) (all []usagePeriod) {
	layout, months := time.DateOnly, c.By == "month"
	if months {
		layout = "2006-01"
	}
	if c.From == "" {
		if len(days) == 0 {
			return nil
		}
		if from = days[0].Day; months {
			from = organization.Month(from)
		}
	}
	for _, p := range organization.Periods(days, o.CreatedAt, from, to, months) {
		one := usagePeriod{Organization: o.ID.String(), Name: o.Name, Period: p.From.Format(layout), Days: p.Days,
			Missing: p.Missing}
		if p.Days > 0 {
			one.Average, one.Most = &p.Average, &p.Most
		}
		all = append(all, one)
	}
	return all
}

// print prints periods as the flags say.
func (c *orgUsageCmd) print(w *World, periods []usagePeriod) error {
	if c.JSON {
		return w.json(periods)
	}
	none := "-"
	if c.CSV {
		none = ""
	}
	rows := make([][]string, len(periods))
	for i, p := range periods {
		rows[i] = []string{p.Organization, p.Name, p.Period, strconv.FormatInt(p.Days, 10),
			strconv.FormatInt(p.Missing, 10)}
		cell := func(of *organization.Amounts, part func(*organization.Amounts) int64) {
			text := none
			if of != nil {
				text = strconv.FormatInt(part(of), 10)
			}
			rows[i] = append(rows[i], text)
		}
		for _, part := range []func(*organization.Amounts) int64{
			func(a *organization.Amounts) int64 { return a.Captures },
			func(a *organization.Amounts) int64 { return a.Athletes },
			func(a *organization.Amounts) int64 { return a.FileBytes },
			func(a *organization.Amounts) int64 { return a.ExportBytes },
		} {
			cell(p.Average, part)
			cell(p.Most, part)
		}
	}
	if c.CSV {
		out := csv.NewWriter(w.Out)
		head := []string{"organization", "name", "period", "days", "missing_days", "captures_average", "captures_most",
			"athletes_average", "athletes_most", "file_bytes_average", "file_bytes_most", "export_bytes_average",
			"export_bytes_most"}
		return out.WriteAll(append([][]string{head}, rows...))
	}
	if len(rows) == 0 {
		return w.say("Nothing is known of that time: a server notes what is there when it starts, and every ten " +
			"minutes.")
	}
	return w.table([]string{"ORGANIZATION", "NAME", "PERIOD", "DAYS", "MISSING", "CAPTURES", "MOST", "ATHLETES", "MOST",
		"BYTES OF FILES", "MOST", "BYTES OF EXPORTS", "MOST"}, rows)
}

// parseDay reads a day that a flag holds, and takes that of another moment when it is absent.
func parseDay(name, value string, absent time.Time) (time.Time, error) {
	if value == "" {
		return organization.Day(absent), nil
	}
	day, err := time.Parse(time.DateOnly, value)
	if err != nil || day.Year() < 1970 {
		return day, usage("%s must be a day from 1970 on, such as 2026-05-13, not %q", name, value)
	}
	return day, nil
}
