package store

import (
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

func TestTwoAnswersOfOneTagAreTheSameBytes(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		tags := map[string]string{}
		look := func(sc organization.Scope, session string) {
			t.Helper()
			a, err := s.Captures(t.Context(), sc, capture.Query{Limit: 10})
			must(t, err)
			b, err := s.Capture(t.Context(), sc, session, 0)
			must(t, err)
			for _, answer := range []capture.Answer{a, b} {
				if body, ok := tags[answer.Tag]; ok && body != string(answer.Body) {
					t.Errorf("the tag %s names %s and %s", answer.Tag, body, answer.Body)
				}
				tags[answer.Tag] = string(answer.Body)
			}
		}
		// As many changes in each organization, to different captures: what the counts
		// of changes cannot tell apart.
		for _, session := range []string{"only-a", "only-b"} {
			sc := tenant(t, s, session)
			for _, status := range []capture.Status{capture.Processing, capture.Completed} {
				_, err := s.Import(t.Context(), sc,
					[]manifest.Record{{Capture: &capture.Capture{SessionID: session, Status: status,
						Source: "import"}}}, false)
				must(t, err)
				look(sc, session)
			}
		}
		if len(tags) != 8 {
			t.Errorf("%d tags for 8 answers", len(tags))
		}
	})
}
