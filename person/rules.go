package person

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// Rules say what a person may do where, by what a token claims. Nobody is let in by default.
type Rules struct {
	OrganizationClaim string            // names the organization
	RoleClaim         string            // has values of Roles
	Roles             map[string]string // the role that each value gives
}

// ParseRoles reads "value=role,value=role". The last "=" parts a value from its role.
func ParseRoles(text string) (map[string]string, error) {
	roles := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		at := strings.LastIndexByte(pair, '=')
		if at < 1 {
			return nil, fmt.Errorf("must look like VALUE=ROLE,VALUE=ROLE, and %q does not", pair)
		}
		value, role := strings.TrimSpace(pair[:at]), strings.TrimSpace(pair[at+1:])
		if _, err := organization.Role(role); err != nil {
			return nil, fmt.Errorf("gives %q the role %q, which is none of viewer, editor, admin", value, role)
		}
		if other, ok := roles[value]; ok && other != role {
			return nil, fmt.Errorf("gives %q two roles, %s and %s", value, other, role)
		}
		roles[value] = role
	}
	return roles, nil
}

// Permissions are those of all roles that the claims are mapped to; a fault.Forbidden when there is none.
func (r Rules) Permissions(c Claims) (organization.Permissions, error) {
	var all organization.Permissions
	for _, value := range c.texts(r.RoleClaim) {
		if role, ok := r.Roles[value]; ok {
			granted, err := organization.Role(role)
			if err != nil {
				return nil, err
			}
			for _, p := range granted {
				if !all.Has(p) {
					all = append(all, p)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fault.New(fault.Forbidden,
			"You are signed in, and no role of yours counts here: the claim %q has no value that the server's "+
				"operator has mapped to a role.", r.RoleClaim)
	}
	slices.SortFunc(all, func(a, b organization.Permission) int {
		return slices.Index(organization.AllPermissions, a) - slices.Index(organization.AllPermissions, b)
	})
	return all, nil
}

// Organization is what the claims call the organization: its id or its name; a fault.Forbidden when they name none, or
// several, of which nobody has said which one is meant.
func (r Rules) Organization(c Claims) (string, error) {
	switch names := slices.Compact(slices.Sorted(slices.Values(c.texts(r.OrganizationClaim)))); len(names) {
	case 1:
		return names[0], nil
	case 0:
		return "", fault.New(fault.Forbidden,
			"You are signed in, and it is not known where you belong: the claim %q names no organization.",
			r.OrganizationClaim)
	default:
		return "", fault.New(fault.Forbidden,
			"You are signed in, and it is not known where you belong: the claim %q names several organizations.",
			r.OrganizationClaim)
	}
}
