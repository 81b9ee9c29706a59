package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

func TestWhatWasThereBeforeThereWasAFeedIsInIt(t *testing.T) {
	unmigrated(t, func(t *testing.T, p place) {
		older(t, p, 17)
		sc := organization.Scope{Organization: organization.NewID()}
		body := `''`
		if p.options.Data != "" {
			body = `CAST('' AS BLOB)`
		}
		for _, text := range []string{
			`INSERT INTO organization (id, name, created_at) VALUES ($1, 'A', 1)`,
			`INSERT INTO athlete (organization, id, first_name, last_name, email, phone, gender, dominant_arm, dominant_leg, activity, positions, competition_level, height, weight, custom_attributes, created_at, updated_at, version, first_key, last_key, born_key, search_key)
SELECT id, id, 'Jo', '', '', '', '', '', '', '', '', '', 0, 0, '', 5, 5, 1, 'jo', '', 0, 'jo' FROM organization WHERE id = $1`,
			`INSERT INTO capture (organization, session_id, sort_time, combination, source, status, dimensions, version, created_at, updated_at) SELECT id, 'late', 1, 1, 'import', 'completed', '', 1, 9, 9 FROM organization WHERE id = $1`,
			`INSERT INTO capture (organization, session_id, sort_time, combination, source, status, dimensions, version, created_at, updated_at) SELECT id, 'early', 2, 1, 'import', 'completed', '', 1, 3, 3 FROM organization WHERE id = $1`,
			`INSERT INTO capture_row (organization, sort_time, session_id, athlete, place, combination, body) SELECT organization, sort_time, session_id, organization, 0, combination, ` + body + ` FROM capture WHERE organization = $1`,
			`INSERT INTO export_job (organization, id, status, error_message, created_at) SELECT id, 'job', 'RUNNING', '', 4 FROM organization WHERE id = $1`,
		} {
			inOlder(t, p, sc, text)
		}
		s := p.open()
		page, err := s.Changes(t.Context(), sc, feed.Query{Kinds: feed.Kinds, Limit: 100})
		must(t, err)
		got := map[string]time.Time{}
		var captures []string
		for _, c := range page.Changes {
			got[c.Kind.String()+" "+c.ID] = c.At
			if c.Kind == feed.Capture {
				captures = append(captures, c.ID)
			}
		}
		same(t, "captures, the one that was changed first before others", captures, []string{"early", "late"})
		if len(got) != 4 || !got["capture early"].Equal(db.FromMicros(3)) ||
			!got["athlete "+sc.Organization.String()].Equal(db.FromMicros(5)) ||
			!got["export job"].Equal(db.FromMicros(4)) {
			t.Errorf("the feed has %v", got)
		}
		f := follows(sc)
		f.after = &page.Next
		create(t, s, sc, person("new"))
		if told := f.rest(t, s); len(told) != 1 {
			t.Errorf("told of %v", told)
		}
	})
}
