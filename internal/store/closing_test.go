package store

import (
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"
)

func TestAStoreThatClosesLeavesNoChangesToTheReaders(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, err := Open(t.Context(), func() Options { o := p.options; still(&o); return o }())
		must(t, err)
		sc := tenant(t, s, "A")
		put(t, s, sc, session("a", &noon), session("b", nil))
		must(t, s.Close())
		var waiting int64
		must(t, p.open(still).engine.Once(t.Context(), idOf(t, sc),
			db.One(db.Into(&waiting), `SELECT count(*) FROM list_delta WHERE organization = $1`, idOf(t, sc))))
		if waiting != 0 {
			t.Errorf("%d changes are left", waiting)
		}
	})
}
