package httpapi

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// uuidAt reads a variable of the path that is a UUID, of a kind of thing. What cannot be a UUID is unknown,
// like any other id that names nothing; only what no id could hold is refused.
func (c *call) uuidAt(place int, name, kind string) (string, error) {
	if err := plainID(name, c.path[place]); err != nil {
		return "", err
	}
	id, ok := organization.ParseUUID(c.path[place])
	if !ok {
		return "", unknown(fault.New(fault.NotFound, ""), kind)
	}
	c.path[place] = id
	return id, nil
}
