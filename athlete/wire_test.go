package athlete_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
)

func TestWhatWasReadCanBeImportedAgain(t *testing.T) {
	a := made(t, whole)
	b, err := athlete.FromImport(parse(t, string(athlete.AppendJSON(nil, a))), now)
	if err != nil || !athlete.Equal(a, b) || !a.CreatedAt.Equal(b.CreatedAt) || !a.UpdatedAt.Equal(b.UpdatedAt) {
		t.Errorf("%v\n%+v\n%+v", err, a, b)
	}
	least, err := athlete.FromImport(
		parse(t, `{"type":"athlete","first_name":"Ann","last_name":null,"positions":null,"custom_attributes":null,"id":null,"created_at":null,"height":null}`), now)
	if err != nil || least.ID != "" || !least.CreatedAt.IsZero() || !least.UpdatedAt.IsZero() {
		t.Errorf("%v %+v", err, least)
	}
	upper, err := athlete.FromImport(
		parse(t, `{"first_name":"Ann","id":"0191A0C4-5C1E-7D2A-9F3B-2C6F1E8D4B70","created_at":"2026-05-01T10:30:00.1239+02:00","updated_at":"2026-05-01T08:30:01"}`), now)
	if err != nil || upper.ID != "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70" ||
		upper.CreatedAt.Format(time.RFC3339Nano) != "2026-05-01T08:30:00.123Z" || upper.UpdatedAt.Second() != 1 {
		t.Errorf("%v %+v", err, upper)
	}
	for body, field := range map[string]string{
		`{"first_name":"Ann","id":"x"}`: "id", `{"first_name":"Ann","id":7}`: "id",
		`{"first_name":"Ann","created_at":"yesterday"}`: "created_at",
		`{"first_name":"Ann","updated_at":5}`:           "updated_at", `{"last_name":"x"}`: "first_name",
		`{"first_name":"Ann","team":"red"}`: "team",
		`{"first_name":"Ann","created_at":"2026-05-02T00:00:00Z","updated_at":"2026-05-01T00:00:00Z"}`: "updated_at",
		`{"first_name":"Ann","positions":["pitcher"]}`:                                                 "positions",
		`{"first_name":"Ann","custom_attributes":{"k":0}}`:                                             "custom_attributes.k",
		`{"first_name":"Ann","custom_attributes":{"k":null}}`:                                          "custom_attributes.k",
	} {
		_, err := athlete.FromImport(parse(t, body), now)
		refused(t, body, err, field)
	}
}

func TestTheTagTellsVersionsApart(t *testing.T) {
	a := made(t, whole)
	b := a
	if a.Tag() != b.Tag() || strings.ContainsAny(a.Tag(), "\" \\") {
		t.Errorf("tag %q and %q", a.Tag(), b.Tag())
	}
	for name, other := range map[string]func(*athlete.Athlete){
		"id": func(x *athlete.Athlete) { x.ID = "y" }, "version": func(x *athlete.Athlete) { x.Version++ },
		"time":  func(x *athlete.Athlete) { x.UpdatedAt = x.UpdatedAt.Add(time.Millisecond) },
		"phone": func(x *athlete.Athlete) { x.Phone = "1" },
	} {
		c := a
		other(&c)
		if c.Tag() == a.Tag() {
			t.Errorf("another %s has the same tag", name)
		}
	}
}

func TestAPageIsFramedByItsNumbers(t *testing.T) {
	a := made(t, `{"first_name":"Ann"}`)
	q := athlete.Query{Limit: 2, Offset: 9007199254740991}
	got := string(athlete.AppendPage(nil, athlete.Page{Athletes: []athlete.Athlete{a, a}, TotalCount: 7}, q))
	one := string(athlete.AppendJSON(nil, a))
	if want := `{"athletes":[` + one + `,` + one +
		`],"total_count":7,"offset":9007199254740991,"limit":2,"next_offset":null}`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := string(athlete.AppendPage(nil, athlete.Page{}, athlete.Query{Limit: 1})); got !=
		`{"athletes":[],"total_count":0,"offset":0,"limit":1,"next_offset":null}` {
		t.Error(got)
	}
}
