package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestAFileThatComesAfterItsNameWasErasedIsErasedOnceMore(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		gone := create(t, s, sc, person("1"))[0]
		until := s.now().Add(time.Hour)
		coming := reserve(t, s, sc, organization.NewID(), gone).Capture.SessionID
		must(t, s.Expect(t.Context(), sc, coming, "coming", until))
		read, _ := arrived(t, s, sc)
		dead := claimed(t, s, sc, read)
		must(t, s.Intend(t.Context(), sc, dead, until, "half a table"))

		must(t, s.DeleteAthlete(t.Context(), sc, gone, anybody))
		ahead(upload.Lease + time.Second)
		claimed(t, s, sc, read)
		names := []string{"coming", "half a table"}
		same(t, "due at once", erasable(t, s, sc), names)
		must(t, s.Erased(t.Context(), sc, names))
		same(t, "due while they may be coming", erasable(t, s, sc), []string{})
		ahead(time.Hour)
		same(t, "due at the end", erasable(t, s, sc), names)
		must(t, s.Erased(t.Context(), sc, names))
		ahead(time.Hour)
		same(t, "due for ever", erasable(t, s, sc), []string{})
	})
}
