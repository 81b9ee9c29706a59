package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/contract"
)

const ignoredHeader = "Kinebase-Ignored-Parameters"

func TestTheParametersOfTheRoutesAreThoseOfTheContract(t *testing.T) {
	there := map[string][]string{}
	for _, r := range httpapi.Routes() {
		there[r.Method+" "+r.Pattern] = slices.Sorted(slices.Values(r.Parameters))
	}
	doc := contract.Of(t)
	for _, op := range doc.Operations() {
		name := op.Method + " " + doc.Base() + op.Path
		promised := slices.Sorted(slices.Values(op.Query))
		if name == "GET /v1/athletes" {
			promised = []string{"*"} // every other name is a custom attribute
		}
		if !slices.Equal(there[name], promised) {
			t.Errorf("%s has the parameters %q, and the contract %q", name, there[name], promised)
		}
	}
}

func TestAnIgnoredParameterIsNamedAndChangesNothingElse(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	x := newTenant(t, a, "mine")
	for _, r := range httpapi.Routes() {
		if r.Method != "GET" || strings.HasPrefix(r.Pattern, "/v1/uploads/") {
			continue
		}
		path := pathOf(r.Pattern, x.ids)
		if r.Public { // a visitor writes no programs, and is told nothing
			of := strings.TrimPrefix(path, "/shared")
			secret := x.ids["secret"]
			if strings.HasPrefix(of, "/athletes/") {
				secret = x.ids["progress"]
			}
			plain := visit(a, of, secret).Want(200)
			if asked := visit(a, of+"?include=athlete&updated_since=1", secret); seen(asked) != seen(plain) {
				t.Errorf("%s with parameters that it does not have:\n%s\nwithout:\n%s", path, seen(asked), seen(plain))
			}
			continue
		}
		plain := a.Get(path, x.token).Want(200)
		if got := plain.Header.Values(ignoredHeader); len(got) > 0 {
			t.Errorf("%s without parameters ignores %q", path, got)
		}
		if slices.Contains(r.Parameters, "*") {
			if got := a.Get(path+"?updated_since=2026", x.token).Want(200).Header.Values(ignoredHeader); len(got) > 0 {
				t.Errorf("%s, where every name means something, ignores %q", path, got)
			}
			continue
		}
		asked := a.Get(path+"?updated_since=2026-05-13&Limit=1&updated_since=", x.token).Want(200)
		if got := asked.Header.Values(ignoredHeader); !slices.Equal(got, []string{"updated_since, Limit"}) {
			t.Errorf("%s ignores %q", path, got)
		}
		asked.Header.Del(ignoredHeader)
		if seen(asked) != seen(plain) {
			t.Errorf("%s with parameters that it does not have:\n%s\nwithout:\n%s", path, seen(asked), seen(plain))
		}
	}
	etag := a.Get("/captures", x.token).Want(200).Header.Get("ETag")
	if got := a.Get("/captures?modified_after=1", x.token, "If-None-Match",
		etag).Want(304).Header.Get(ignoredHeader); got != "modified_after" {
		t.Errorf("a page that has not changed ignores %q", got)
	}
	if got := a.Post("/athletes?dry=1", x.token, `{"first_name":"Jo"}`).Want(200).Header.Get(ignoredHeader); got !=
		"dry" {
		t.Errorf("a write ignores %q", got)
	}
	if got := a.Get("/captures?since=1&limit=0", x.token).Want(400).Header.Values(ignoredHeader); len(got) > 0 {
		t.Errorf("an error ignores %q", got)
	}
}

func TestNamesOfIgnoredParametersCannotBreakTheHeader(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	for query, want := range map[string]string{
		"a%0D%0ASet-Cookie:+b=1":           "a%0D%0ASet-Cookie%3A+b",
		"%C3%A9=1&a%2Cb&=5&&":              "%C3%A9, a%2Cb",
		strings.Repeat("x", 100):           strings.Repeat("x", 64),
		strings.Repeat("x", 63) + "%26y":   strings.Repeat("x", 63),
		strings.Repeat("x", 60) + "%C3%A9": strings.Repeat("x", 60),
		"a1&a2&a3&a4&a5&a6&a7&a8&a9&b1&b2&b3&b4&b5&b6&b7&b8&b9": "a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, " +
			"b4, b5, b6, b7",
		"limit=5&%6Cimit2=1": "limit2",
	} {
		if got := a.Get("/captures?"+query, token).Want(200).Header.Get(ignoredHeader); got != want {
			t.Errorf("%s ignores %q, want %q", query, got, want)
		}
	}
}
