package cli_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestUsageOverTimeIsPrintedByDayAndMonthForOneOrganizationAndForAll(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place := e.Place(t)
		s := newShell(t)
		if s.env["KINEBASE_DATA"] = place["data"]; place["data"] == "" {
			delete(s.env, "KINEBASE_DATA")
			s.env["KINEBASE_DATABASE_URL"] = place["database-url"]
		}
		org, other := s.organization("Lab, North"), s.organization("Clinic")
		if got := s.run("org", "usage", "--by", "month").ok().out; !strings.Contains(got, "Nothing is known") {
			t.Errorf("before a server ran it says %q", got)
		}
		before := time.Now().UTC()
		apptest.Start(t, e, apptest.At(place)) // which notes what is there
		var periods []struct {
			Organization, Name, Period string
			Days                       int64
			Missing                    int64 `json:"missing_days"`
			Average, Most              *organization.Amounts
		}
		testkit.Until(t, "the server has noted both", func() bool {
			s.run("org", "usage", "--by", "day", "--json").into(&periods)
			return len(periods) >= 2 && periods[0].Organization != periods[len(periods)-1].Organization
		})
		s.run("org", "usage", org, "--by", "month", "--json").into(&periods)
		after := time.Now().UTC()
		if months := []string{before.Format("2006-01"), after.Format("2006-01")}; len(periods) != 1 ||
			periods[0].Organization != org || periods[0].Name != "Lab, North" || periods[0].Days != 1 ||
			periods[0].Most == nil || *periods[0].Most != (organization.Amounts{}) ||
			periods[0].Period != months[0] && periods[0].Period != months[1] {
			t.Errorf("by month there is %+v", periods)
		}
		lines, err := csv.NewReader(strings.NewReader(s.run("org", "usage", "--by", "day", "--csv").ok().out)).ReadAll()
		if err != nil || len(lines) < 3 || len(lines[0]) != 13 || lines[0][0] != "organization" ||
			lines[1][0] != org || lines[1][1] != "Lab, North" || lines[1][5] != "0" || lines[2][0] != other {
			t.Errorf("as CSV it is %q: %v", lines, err)
		}
		table := s.run("org", "usage", other, "--by", "day").ok().out
		if !strings.Contains(table, "MISSING") || !strings.Contains(table, "Clinic") || strings.Contains(table, "Lab") {
			t.Errorf("as a table it is\n%s", table)
		}
		s.run("org", "usage", "--by", "day", "--to", "2020-01-01").ok()
		for _, wrong := range [][]string{{}, {org, "--csv"}, {org, "--from", "2026-01-01"},
			{org, "--by", "week"}, {"--by", "day", "--from", "yesterday"}, {"--by", "day", "--csv", "--json"},
			{"--by", "day", "--to", "2026-02-30"}} {
			s.run(append([]string{"org", "usage"}, wrong...)...).fails(2, "")
		}
		s.run("org", "usage", organization.NewUUID(), "--by", "day").fails(1, "no organization")
	})
}
