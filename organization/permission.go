package organization

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// Permission is one thing that a token may do; the interface calls it a scope.
type Permission string

// All permissions there are.
const (
	CapturesRead  Permission = "captures:read"
	CapturesWrite Permission = "captures:write"
	AthletesRead  Permission = "athletes:read"
	AthletesWrite Permission = "athletes:write"
	ExportsRead   Permission = "exports:read"
	ExportsWrite  Permission = "exports:write"
	Admin         Permission = "admin"
)

// Permissions is a set of permissions, in the order of AllPermissions.
type Permissions []Permission

// AllPermissions lists every permission in the order in which sets are shown.
var AllPermissions = Permissions{CapturesRead, CapturesWrite, AthletesRead, AthletesWrite, ExportsRead, ExportsWrite,
	Admin}

// roles are named sets of permissions.
var roles = map[string]Permissions{
	"viewer": {CapturesRead, AthletesRead, ExportsRead},
	"editor": {CapturesRead, CapturesWrite, AthletesRead, AthletesWrite, ExportsRead, ExportsWrite},
	"admin":  AllPermissions,
}

// Role gives the permissions of a role: viewer, editor or admin.
func Role(name string) (Permissions, error) {
	p, ok := roles[name]
	if !ok {
		return nil, fault.New(fault.BadRequest, "role must be one of viewer, editor, admin")
	}
	return slices.Clone(p), nil
}

// ParsePermissions makes a set of the given names. Unknown names and an empty
// list are refused; a name given twice counts once.
func ParsePermissions(names []string) (Permissions, error) {
	if len(names) == 0 {
		return nil, fault.New(fault.BadRequest, "scopes must name at least one scope")
	}
	for _, n := range names {
		if !slices.Contains(AllPermissions, Permission(n)) {
			return nil, fault.New(fault.BadRequest, "scopes: %q is not one of %s", n, AllPermissions)
		}
	}
	var set Permissions
	for _, p := range AllPermissions {
		if slices.Contains(names, string(p)) {
			set = append(set, p)
		}
	}
	return set, nil
}

// Has says whether the set holds p.
func (ps Permissions) Has(p Permission) bool { return slices.Contains(ps, p) }

// Covers says whether every permission of other is in ps: whoever holds ps may
// grant other.
func (ps Permissions) Covers(other Permissions) bool {
	for _, p := range other {
		if !ps.Has(p) {
			return false
		}
	}
	return true
}

// String lists the names, separated by commas.
func (ps Permissions) String() string { return strings.Join(ps.Strings(), ", ") }

// Strings gives the names.
func (ps Permissions) Strings() []string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = string(p)
	}
	return names
}
