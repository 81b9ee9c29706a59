package person_test

import (
	"slices"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/person"
)

func TestRolesAreReadOfAMap(t *testing.T) {
	got, err := person.ParseRoles(" a=b=admin, staff = editor,,guests=viewer,guests=viewer")
	if err != nil || len(got) != 3 || got["a=b"] != "admin" || got["staff"] != "editor" || got["guests"] != "viewer" {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"a", "=admin", "a=", "a=owner", "a=admin,a=viewer", "a=Admin"} {
		if got, err := person.ParseRoles(text); err == nil {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

func TestAPersonHasWhatAllMappedRolesHaveTogether(t *testing.T) {
	r := person.Rules{RoleClaim: "realm_access.roles",
		Roles: map[string]string{"g": "viewer", "s": "editor", "h": "admin"}}
	roles := func(v any) person.Claims {
		return person.Claims{All: map[string]any{"realm_access": map[string]any{"roles": v}}}
	}
	viewer, _ := organization.Role("viewer")
	editor, _ := organization.Role("editor")
	for _, c := range []struct {
		claims person.Claims
		want   organization.Permissions
	}{
		{roles("g"), viewer}, {roles([]any{"g", "x"}), viewer}, {roles([]any{"g", "s"}), editor},
		{roles([]any{"s", "h", "g"}), organization.AllPermissions},
		{person.Claims{All: map[string]any{"realm_access.roles": "g"}}, viewer},
		{roles(nil), nil}, {roles([]any{"x", 7, map[string]any{"s": "s"}}), nil},
		{roles(map[string]any{"h": "h"}), nil}, {roles(true), nil},
		{person.Claims{All: map[string]any{"realm_access": "h"}}, nil}, {person.Claims{}, nil},
	} {
		got, err := r.Permissions(c.claims)
		if !slices.Equal(got, c.want) || (c.want == nil) != fault.Is(err, fault.Forbidden) {
			t.Errorf("%v may %v (%v), want %v", c.claims.All, got, err, c.want)
		}
	}
}

func TestAPersonIsToldApartByIssuerAndSubject(t *testing.T) {
	seen := map[organization.ID]bool{}
	for _, of := range [][2]string{{"a", "b"}, {"a", "c"}, {"c", "b"}, {"ab", ""}, {"", "ab"}} {
		id := person.ID(of[0], of[1])
		if seen[id] || id.String()[14] != '8' || id != person.ID(of[0], of[1]) {
			t.Errorf("%v is %v", of, id)
		}
		seen[id] = true
	}
}
