package athlete_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

var now = time.Date(2026, 5, 13, 12, 0, 0, 123_456_789, time.UTC)

func parse(t *testing.T, body string) payload.Object {
	t.Helper()
	o, err := payload.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return o
}

func create(t *testing.T, body string) (athlete.Athlete, error) {
	t.Helper()
	return athlete.New(parse(t, body), now)
}

func made(t *testing.T, body string) athlete.Athlete {
	t.Helper()
	a, err := create(t, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return a
}

func change(t *testing.T, a athlete.Athlete, body string, at time.Time) (athlete.Athlete, error) {
	t.Helper()
	f, err := athlete.Change(parse(t, body), at)
	if err != nil {
		return a, err
	}
	return f(a)
}

func changed(t *testing.T, a athlete.Athlete, body string) athlete.Athlete {
	t.Helper()
	a, err := change(t, a, body, now.Add(time.Hour))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return a
}

// refused checks that err blames exactly the fields, each message naming it.
func refused(t *testing.T, what string, err error, fields ...string) {
	t.Helper()
	if !fault.Is(err, fault.BadRequest) {
		t.Errorf("%s: %v, want a BadRequest", what, err)
		return
	}
	var got []string
	for _, p := range err.(*fault.Error).Problems {
		got = append(got, p.Field)
		name, _, _ := strings.Cut(p.Field, ".")
		if !strings.Contains(p.Message, name) {
			t.Errorf("%s: the message %q does not name %s", what, p.Message, p.Field)
		}
		if strings.Contains(p.Message, "; ") {
			t.Errorf("%s: the message %q would be read as two, for that is how they are joined", what, p.Message)
		}
	}
	if strings.Join(got, " ") != strings.Join(fields, " ") {
		t.Errorf("%s: blames %q, want %q", what, got, fields)
	}
}

const whole = `{"first_name":"Jo","last_name":"Rivera","date_of_birth":"2008-05-17","email":"jo@example.org","phone":"+1 555 0100","gender":"female",
	"dominant_arm":"left","dominant_leg":"both","activity":"baseball","positions":["pitcher","first_base"],"competition_level":"youth","height":68,"weight":140,
	"custom_attributes":{"team":"red","coach-1":"Ada"}}`

func TestACreatedAthleteHoldsWhatWasSent(t *testing.T) {
	a := made(t, whole)
	at := now.Truncate(time.Millisecond)
	if len(a.ID) != 36 || a.Version != 1 || !a.CreatedAt.Equal(at) || !a.UpdatedAt.Equal(at) {
		t.Errorf("id %q, version %d, created %v, updated %v", a.ID, a.Version, a.CreatedAt, a.UpdatedAt)
	}
	a.ID = "x"
	const want = `{"athlete":{"id":"x","first_name":"Jo","last_name":"Rivera","date_of_birth":"2008-05-17T00:00:00.000Z","email":"jo@example.org","phone":"+1 555 0100","gender":"female",` +
		`"dominant_arm":"left","dominant_leg":"both","activity":"baseball","positions":["pitcher","first_base"],"competition_level":"youth","height":68,"weight":140,` +
		`"custom_attributes":{"coach-1":"Ada","team":"red"},"created_at":"2026-05-13T12:00:00.123Z","updated_at":"2026-05-13T12:00:00.123Z"}}`
	if got := string(athlete.AppendRead(nil, a)); got != want {
		t.Errorf("read shape\n%s\nwant\n%s", got, want)
	}
}

func TestOnlyTheFirstNameIsRequired(t *testing.T) {
	a := made(t, `{"first_name":"Sam"}`)
	a.ID = "x"
	const head = `{"athlete":{"id":"x","first_name":"Sam","last_name":null,"date_of_birth":null,"email":null,`
	const tail = `"height":null,"weight":null,"custom_attributes":{},"created_at":"2026-05-13T12:00:00.123Z","updated_at":"2026-05-13T12:00:00.123Z"}}`
	if got, want := string(athlete.AppendRead(nil, a)),
		head+`"phone":null,"gender":null,"dominant_arm":null,"dominant_leg":null,"activity":null,"positions":[],"competition_level":null,`+tail; got != want {
		t.Errorf("read shape\n%s\nwant\n%s", got, want)
	}
	if got, want := string(athlete.AppendWritten(nil, a)), head+tail; got != want {
		t.Errorf("written shape\n%s\nwant\n%s", got, want)
	}
	for _, body := range []string{`{}`, `{"last_name":"Rivera"}`, `{"first_name":null}`, `{"first_name":""}`,
		`{"first_name":" \t\u00a0 "}`, `{"first_name":"\u200b\u200d"}`, `{"first_name":"\ufe0f\u3164\u2800"}`,
		`{"first_name":7}`} {
		_, err := create(t, body)
		refused(t, body, err, "first_name")
	}
}

func TestOnCreateNullEmptyAndZeroAreAbsent(t *testing.T) {
	least := made(t, `{"first_name":"Sam"}`)
	for name := range maps.Keys(emptied) {
		for _, empty := range []string{"null", emptied[name]} {
			body := fmt.Sprintf(`{"first_name":"Sam",%q:%s}`, name, empty)
			a := made(t, body)
			a.ID = least.ID
			if !athlete.Equal(a, least) {
				t.Errorf("%s gives %+v", body, a)
			}
		}
	}
	if a := made(t, `{"first_name":"Sam","custom_attributes":{"k":"","l":" ","m":"x"}}`); !maps.Equal(
		a.CustomAttributes, map[string]string{"m": "x"}) {
		t.Errorf("attributes %v", a.CustomAttributes)
	}
}

// emptied is how each optional field is cleared.
var emptied = map[string]string{
	"last_name": `""`, "date_of_birth": `""`, "email": `" "`, "phone": `""`, "gender": `""`, "dominant_arm": `""`,
	"dominant_leg": `""`,
	"activity":     `""`, "positions": `[]`, "competition_level": `""`, "height": `0`, "weight": `-0.0`,
	"custom_attributes": `{}`,
}

func TestAnUpdateClearsEachFieldAndLeavesTheOthers(t *testing.T) {
	for name, empty := range emptied {
		a := made(t, whole)
		body := fmt.Sprintf(`{%q:%s}`, name, empty)
		if name == "activity" {
			body = `{"activity":"","positions":[]}`
		}
		if name == "custom_attributes" { // merged, so that nothing is deleted by {}
			body = `{"custom_attributes":{"team":"","coach-1":0,"never there":""}}`
			_, err := change(t, a, body, now)
			refused(t, body, err, "custom_attributes.never there")
			body = `{"custom_attributes":{"team":"","coach-1":0,"never_there":"","nor_this":0.0}}`
		}
		b := changed(t, a, body)
		read := func(x athlete.Athlete) map[string]string {
			m := map[string]string{}
			for _, f := range parse(t, string(athlete.AppendJSON(nil, x))).Members() {
				m[f.Name] = fmt.Sprint(f.Value.Kind(), f.Value.String(), f.Value.Number(), len(f.Value.Elements()),
					len(f.Value.Object().Members()))
			}
			return m
		}
		before, after := read(a), read(b)
		for field, was := range before {
			touched := field == name || field == "updated_at" || name == "activity" && field == "positions"
			if touched == (after[field] == was) {
				t.Errorf("%s: %s was %s and is %s", body, field, was, after[field])
			}
		}
		if b.Version != 2 {
			t.Errorf("%s: version %d", body, b.Version)
		}
	}
}

func TestNullIsRefusedOnUpdate(t *testing.T) {
	a := made(t, whole)
	for name := range emptied {
		body := fmt.Sprintf(`{%q:null}`, name)
		_, err := change(t, a, body, now)
		refused(t, body, err, name)
	}
	_, err := change(t, a, `{"first_name":null}`, now)
	refused(t, "first_name null", err, "first_name")
	_, err = change(t, a, `{"first_name":""}`, now)
	refused(t, "first_name empty", err, "first_name")
}

func TestFieldsThatDoNotExistAreRefusedByName(t *testing.T) {
	body := `{"first_name":"Ann","dob":"2010-01-05","First_Name":"Bob","id":"x","organization_id":"y","created_at":"z","type":"athlete"}`
	_, err := create(t, body)
	refused(t, body, err, "dob", "First_Name", "id", "organization_id", "created_at", "type")
	_, err = change(t, made(t, whole), `{"Email":"x","updated_at":1}`, now)
	refused(t, "update", err, "Email", "updated_at")
}

func TestEveryProblemIsToldAtOnceInTheOrderOfTheInput(t *testing.T) {
	body := `{"weight":-1,"first_name":"","email":"x","custom_attributes":{"a.b":"v","k":null},"gender":"x"}`
	_, err := create(t, body)
	refused(t, body, err, "weight", "first_name", "email", "custom_attributes.a.b", "custom_attributes.k", "gender")
	if m := err.(*fault.Error).Messages(); strings.Count(m, "; ") != 5 {
		t.Errorf("messages %q", m)
	}
}

func TestAFloodOfProblemsIsAnsweredInBrief(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first_name":"Ann"`)
	for i := range 15_000 {
		fmt.Fprintf(&b, `,"x%d":1`, i)
	}
	_, err := create(t, b.String()+"}")
	if m := err.(*fault.Error).Messages(); !strings.HasSuffix(m, "there are 14800 more problems") || len(m) > 20_000 {
		t.Errorf("%d characters, ending in %q", len(m), m[len(m)-40:])
	}
}

func TestIntegersAreWholeNumbersInRange(t *testing.T) {
	for _, ok := range []struct {
		text string
		want int
	}{{"1", 1}, {"120", 120}, {"70.0", 70}, {"7e1", 70}, {"0", 0}, {"-0", 0}} {
		if a := made(t, `{"first_name":"Ann","height":`+ok.text+`}`); a.Height != ok.want {
			t.Errorf("%s gives %d", ok.text, a.Height)
		}
	}
	if a := made(t, `{"first_name":"Ann","weight":1500}`); a.Weight != 1500 {
		t.Errorf("weight %d", a.Weight)
	}
	for _, bad := range []string{"121", "-1", "70.5", "1e400", "2147483648", "9223372036854775808", `"70"`, `""`,
		"true", "[]", "{}", "10000"} {
		_, err := create(t, `{"first_name":"Ann","height":`+bad+`}`)
		refused(t, "create "+bad, err, "height")
		_, err = change(t, made(t, whole), `{"height":`+bad+`}`, now)
		refused(t, "update "+bad, err, "height")
	}
	_, err := create(t, `{"first_name":"Ann","weight":1501}`)
	refused(t, "1501 pounds", err, "weight")
}

func TestADateOfBirthIsARealDayUpToToday(t *testing.T) {
	for _, ok := range []string{"1900-01-01", "2026-05-13", "2024-02-29", "1999-05-13T00:00:00.000Z", " 1999-05-13 "} {
		a := made(t, `{"first_name":"Ann","date_of_birth":"`+ok+`"}`)
		if got, want := a.DateOfBirth.Format(time.DateOnly), strings.TrimSpace(ok)[:10]; got != want {
			t.Errorf("%s gives %s", ok, got)
		}
	}
	for _, bad := range []string{"1899-12-31", "2026-05-14", "2023-02-30", "2023-02-29", "0000-01-01", "2999-01-01",
		"2010-1-5", "01/05/2010", "2010-01-05T00:00:00Z", "2010-01-05T01:00:00.000Z",
		"12010-01-05", "2010-01-05x", "20100105", "-2010-01-05", "2010-13-01", "today"} {
		_, err := create(t, `{"first_name":"Ann","date_of_birth":"`+bad+`"}`)
		refused(t, bad, err, "date_of_birth")
	}
	_, err := create(t, `{"first_name":"Ann","date_of_birth":20100105}`)
	refused(t, "a number", err, "date_of_birth")
}

func TestEnumsAreExact(t *testing.T) {
	for name, values := range map[string][]string{
		"gender": {"male", "female", "other"}, "dominant_arm": {"left", "right", "both"},
		"dominant_leg":      {"left", "right", "both"},
		"activity":          {"baseball", "softball", "tennis", "basketball", "golf"},
		"competition_level": {"youth", "high_school", "college", "professional"},
	} {
		for _, v := range values {
			made(t, fmt.Sprintf(`{"first_name":"Ann",%q:%q}`, name, v))
		}
		for _, bad := range []string{`"x"`, fmt.Sprintf("%q", strings.ToUpper(values[0])), "1", "true", "[]"} {
			_, err := create(t, fmt.Sprintf(`{"first_name":"Ann",%q:%s}`, name, bad))
			refused(t, name+" "+bad, err, name)
		}
	}
}

func TestPositionsAreJudgedOnTheAthleteAsItWouldBe(t *testing.T) {
	for _, ok := range []string{`"activity":"softball","positions":["designated_hitter"]`,
		`"positions":["center","point_guard"],"activity":"basketball"`, `"activity":"tennis","positions":[]`} {
		made(t, `{"first_name":"Ann",`+ok+`}`)
	}
	for _, bad := range []string{`"positions":["pitcher"]`, `"activity":"tennis","positions":["pitcher"]`,
		`"activity":"basketball","positions":["pitcher"]`,
		`"activity":"baseball","positions":["Pitcher"]`, `"activity":"baseball","positions":["pitcher","pitcher"]`,
		`"activity":"baseball","positions":"pitcher"`, `"activity":"baseball","positions":[1]`,
		`"activity":"baseball","positions":[null]`, `"activity":"baseball","positions":{}`} {
		_, err := create(t, `{"first_name":"Ann",`+bad+`}`)
		refused(t, bad, err, "positions")
	}
	a := made(t, whole) // a baseball pitcher
	for _, ok := range []string{`{"activity":"softball"}`, `{"activity":"basketball","positions":["center"]}`,
		`{"positions":["catcher"]}`, `{"activity":"","positions":[]}`, `{"positions":[],"activity":"golf"}`} {
		changed(t, a, ok)
	}
	for _, bad := range []string{`{"activity":"basketball"}`, `{"activity":"tennis"}`, `{"activity":""}`,
		`{"positions":["center"]}`, `{"activity":"golf","positions":["pitcher"]}`} {
		_, err := change(t, a, bad, now)
		refused(t, bad, err, "positions")
	}
	_, err := change(t, a, `{"activity":"golf","positions":["pitcher"],"height":-1}`, now)
	refused(t, "together with the others", err, "height", "positions")
}

func TestCustomAttributeKeysFollowTheRules(t *testing.T) {
	for _, ok := range []string{"team", "_x", "A", "a-b_9", "dob", "__proto__", "constructor", "First_Name", "phone",
		strings.Repeat("k", 64)} {
		a := made(t, fmt.Sprintf(`{"first_name":"Ann","custom_attributes":{%q:"v"}}`, ok))
		if a.CustomAttributes[ok] != "v" {
			t.Errorf("%s is not kept", ok)
		}
	}
	for _, bad := range []string{"", "a.b", "a b", " a", "9a", "-a", "équipe", "a\u200b", "first_name", "last_name",
		"date_of_birth", "email", "height", "weight", "DOB", strings.Repeat("k", 65)} {
		_, err := create(t, fmt.Sprintf(`{"first_name":"Ann","custom_attributes":{%q:"v"}}`, bad))
		refused(t, bad, err, "custom_attributes."+bad)
		_, err = change(t, made(t, whole), fmt.Sprintf(`{"custom_attributes":{%q:"v"}}`, bad), now)
		refused(t, "update "+bad, err, "custom_attributes."+bad)
	}
}

func TestCustomAttributeValuesAreStrings(t *testing.T) {
	a := made(t, `{"first_name":"Ann","custom_attributes":{"note":" line\n\tindented ","k":"`+strings.Repeat("é", 1024)+
		`"}}`)
	if a.CustomAttributes["note"] != "line\n\tindented" {
		t.Errorf("note %q", a.CustomAttributes["note"])
	}
	long := `"` + strings.Repeat("é", 1025) + `"`
	for _, bad := range []string{"5", "0", "null", "true", "[]", "{}", long, `"a\rb"`, `"a\u0000b"`, `"a\u202eb"`} {
		_, err := create(t, `{"first_name":"Ann","custom_attributes":{"k":`+bad+`}}`)
		refused(t, bad, err, "custom_attributes.k")
	}
	for _, bad := range []string{"5", "0.5", "null", "false", "[]", "{}", long} {
		_, err := change(t, a, `{"custom_attributes":{"k":`+bad+`}}`, now)
		refused(t, "update "+bad, err, "custom_attributes.k")
	}
	for _, bad := range []string{"[]", `"x"`, "1", "true"} {
		_, err := create(t, `{"first_name":"Ann","custom_attributes":`+bad+`}`)
		refused(t, bad, err, "custom_attributes")
	}
}

func TestCustomAttributesAreMergedAndLimited(t *testing.T) {
	a := made(t, `{"first_name":"Ann","custom_attributes":{"k":"v","team":"red"}}`)
	b := changed(t, a, `{"custom_attributes":{"k":"","new":"x","team":"blue"}}`)
	if !maps.Equal(b.CustomAttributes, map[string]string{"new": "x", "team": "blue"}) {
		t.Errorf("merged into %v", b.CustomAttributes)
	}
	if !maps.Equal(a.CustomAttributes, map[string]string{"k": "v", "team": "red"}) {
		t.Errorf("the change touched the old athlete: %v", a.CustomAttributes)
	}
	many := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`"k%d":"v"`, i))
		}
		return `{"first_name":"Ann","custom_attributes":{` + strings.Join(parts, ",") + `}}`
	}
	full := made(t, many(100))
	for _, n := range []int{101, 5000} {
		_, err := create(t, many(n))
		refused(t, fmt.Sprint(n), err, "custom_attributes")
	}
	_, err := change(t, full, `{"custom_attributes":{"one_more":"v"}}`, now)
	refused(t, "one more", err, "custom_attributes")
	changed(t, full, `{"custom_attributes":{"one_more":"v","k0":""}}`)
}

func TestAnUpdateThatChangesNothingKeepsVersionAndTime(t *testing.T) {
	a := made(t, whole)
	for _, body := range []string{`{}`, whole, `{"custom_attributes":{}}`, `{"custom_attributes":{"not_there":""}}`,
		`{"first_name":" Jo "}`, `{"date_of_birth":"2008-05-17T00:00:00.000Z"}`} {
		b := changed(t, a, body)
		if b.Version != a.Version || !b.UpdatedAt.Equal(a.UpdatedAt) || b.Tag() != a.Tag() {
			t.Errorf("%s: version %d, updated %v", body, b.Version, b.UpdatedAt)
		}
	}
}

func TestUpdatedAtNeverGoesBackwards(t *testing.T) {
	a := made(t, whole)
	b, err := change(t, a, `{"height":70}`, now.Add(-time.Hour))
	if err != nil || b.Version != 2 || !b.UpdatedAt.Equal(a.UpdatedAt) || b.Tag() == a.Tag() {
		t.Errorf("%v: version %d, updated %v, tag %s after %s", err, b.Version, b.UpdatedAt, b.Tag(), a.Tag())
	}
	b = changed(t, a, `{"height":70}`)
	if want := now.Add(time.Hour).Truncate(time.Millisecond); !b.UpdatedAt.Equal(want) ||
		!b.CreatedAt.Equal(a.CreatedAt) {
		t.Errorf("updated %v, want %v; created %v", b.UpdatedAt, want, b.CreatedAt)
	}
}
