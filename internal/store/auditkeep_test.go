package store

import (
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/organization"
)

func TestEntriesOfTheAuditLogAreKeptAsLongAsIsSaidAndADayAtTheLeastOnPostgreSQL(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(func(o *Options) { o.AuditKeep = 400 * 24 * time.Hour })
		sc := tenant(t, s, "A")
		begun := actionsOf(t, s, sc)
		for action, age := range map[string]time.Duration{"old": 400*24*time.Hour + time.Hour,
			"young": 400*24*time.Hour - time.Hour, "new": time.Hour} {
			s.now = func() time.Time { return time.Now().Add(-age) }
			must(t, s.Record(t.Context(), sc, audit.Entry{Action: action, Status: 200}))
		}
		s.now = time.Now
		must(t, s.forgetAudit(t.Context()))
		same(t, "after 400 days there are", actionsOf(t, s, sc), append(slices.Clone(begun), "new", "young"))
		s.options.AuditKeep = time.Minute
		must(t, s.forgetAudit(t.Context()))
		left := begun
		if p.options.DatabaseURL != "" { // the role that serves cannot have what is young forgotten
			left = append(slices.Clone(begun), "new")
		}
		same(t, "after a minute there are", actionsOf(t, s, sc), left)
	})
}

// actionsOf are the actions of an organization's audit log, sorted.
func actionsOf(t *testing.T, s *Store, sc organization.Scope) (actions []string) {
	t.Helper()
	page, err := s.Audit(t.Context(), sc, audit.Query{Limit: 100})
	must(t, err)
	for _, e := range page.Entries {
		actions = append(actions, e.Action)
	}
	slices.Sort(actions)
	return actions
}
