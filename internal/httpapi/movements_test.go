package httpapi_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/movement"
)

func TestTheLibraryOfMovementsIsGivenWholeOrInPart(t *testing.T) {
	testkit.Long(t)
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	of := func(query string) (l movement.Library) {
		a.Get("/movements"+query, token).Want(200).Into(&l)
		return l
	}
	whole := of("")
	if want := movement.Read(); whole.Version != want.Version || len(whole.Movements) != len(want.Movements) ||
		len(whole.Reasons) != len(want.Reasons) {
		t.Errorf("library %s of %d movements and %d reasons", whole.Version, len(whole.Movements), len(whole.Reasons))
	}
	for query, n := range map[string]int{
		"?activity=jump": 6, "?activity=%20JUMP%20": 6, "?movement=squat": 1, "?activity=squat": 3,
		"?activity=jump&movement=Countermovement": 1,
		"?activity=": len(whole.Movements), "?activity=somersault": 0, "?movement=jump": 0,
		"?limit=1": len(whole.Movements),
	} {
		if got := of(query); len(got.Movements) != n || got.Version != whole.Version {
			t.Errorf("%s gives %d movements, want %d", query, len(got.Movements), n)
		}
	}
	for _, query := range []string{"?activity=a&activity=b", "?movement=" + strings.Repeat("m", 129)} {
		a.Get("/movements"+query, token).Want(400)
	}
	tag := a.Get("/movements", token).Header.Get("ETag")
	a.Get("/movements", token, "If-None-Match", tag).Want(304)
	if a.Get("/movements?activity=jump", token, "If-None-Match", tag).Want(200).Header.Get("ETag") == tag {
		t.Error("a part of the library has the tag of the whole")
	}
}
