package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/kinebase/kinebase"
	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/manifest"
)

// properties are those of a schema of the interface document.
func properties(t *testing.T, schema string) openapi3.Schemas {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(kinebase.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Components.Schemas[schema].Value.Properties
}

// filled gives every property of a schema a value that it may have; round makes another one of it, where there is one.
func filled(t *testing.T, schema string, round int) map[string]any {
	t.Helper()
	out := map[string]any{}
	for name, ref := range properties(t, schema) {
		s := ref.Value
		switch choices := slices.DeleteFunc(slices.Clone(s.Enum), func(v any) bool { return v == nil || v == "" }); {
		case len(choices) > 0:
			out[name] = choices[round%2] // sports that have positions are the first two
		case strings.Contains(s.Pattern, `\d{4}`):
			out[name] = fmt.Sprintf("1999-05-1%d", round)
		case s.Type.Includes("integer"):
			out[name] = *s.Max - float64(round)
		case s.Type.Includes("array"):
			out[name] = []any{[]string{"catcher", "pitcher"}[round%2]}
		case s.Type.Includes("object"):
			out[name] = map[string]any{"team": fmt.Sprint("team ", round)}
		case s.Type.Includes("string"):
			out[name] = fmt.Sprintf("%.9s%d@example.org", name, round)
		default:
			t.Fatalf("%s: nothing fills it: say how", name)
		}
	}
	return out
}

// recast reads a value as JSON of another type, which must know all of it.
func recast[T any](t *testing.T, of any) (v T) {
	t.Helper()
	text, is := of.([]byte)
	if !is {
		var err error
		if text, err = json.Marshal(of); err != nil {
			t.Fatal(err)
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// comesBack holds what a client reads to what was sent, field by field. Nothing may be unset.
func comesBack(t *testing.T, how string, got *client.Athlete, sent map[string]any) {
	t.Helper()
	read := recast[map[string]any](t, got)
	for name, value := range read {
		if reflect.ValueOf(&value).Elem().IsZero() {
			t.Errorf("%s: %s is unset", how, name)
		}
	}
	for name, want := range sent {
		value := read[name]
		if day, is := value.(string); is && name == "date_of_birth" {
			value = day[:len(time.DateOnly)]
		}
		if fmt.Sprint(value) != fmt.Sprint(want) {
			t.Errorf("%s: %s came back as %v; sent was %v", how, name, value, want)
		}
	}
}

func TestEveryFieldOfAnAthleteComesBackThroughImportInterfaceAndClient(t *testing.T) {
	var names []string
	for _, f := range athlete.Fields {
		names = append(names, f.Name)
	}
	if document := slices.Sorted(maps.Keys(properties(t, "Athlete"))); !slices.Equal(
		slices.Sorted(slices.Values(names)), document) {
		t.Fatalf("the document shows the fields %q, and an athlete has %q", document, names)
	}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		c, err := client.New(a.URL, token)
		if err != nil {
			t.Fatal(err)
		}
		read := func(how, id string, sent map[string]any) {
			t.Helper()
			got, err := c.Athlete(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			comesBack(t, how, got, sent)
			var answer struct{ Athlete json.RawMessage }
			a.Get("/athletes/"+id, token).Want(200).Into(&answer)
			recast[client.Athlete](t, []byte(answer.Athlete)) // the client knows every field of the answer
			page, err := c.ListAthletes(t.Context(), client.AthleteFilter{Search: got.FirstName})
			if err != nil || len(page.Athletes) != 1 {
				t.Fatalf("%s: %+v, %v", how, page, err)
			}
			comesBack(t, how+", listed", &page.Athletes[0], sent)
		}
		sent := filled(t, "AthleteCreate", 0)
		made, err := c.CreateAthlete(t.Context(), recast[client.AthleteFields](t, sent))
		if err != nil {
			t.Fatal(err)
		}
		read("created", made.ID, sent)

		sent = filled(t, "AthleteUpdate", 1)
		if _, err := c.UpdateAthlete(t.Context(), made.ID, recast[client.AthleteFields](t, sent)); err != nil {
			t.Fatal(err)
		}
		read("updated", made.ID, sent)

		for round, how := range []string{2: "imported over an athlete", 3: "imported"} {
			if how == "" {
				continue
			}
			line := filled(t, "AthleteCreate", round)
			sent = maps.Clone(line)
			line["type"], line["id"] = "athlete", made.ID
			text, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			record, err := manifest.Parse(text, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			a.Import(org, record)
			read(how, made.ID, sent)
			a.Delete("/athletes/"+made.ID, token).Want(200)
		}
	})
}
