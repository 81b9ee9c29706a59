package httpapi

import (
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/movement"
)

// listMovements gives the library of movements, or those of it that were asked for.
func (a *api) listMovements(c *call) error {
	wanted, err := movementParams(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	library := *movement.Read()
	tag := tagOf("movements", library.Version, wanted.Activity, wanted.Movement)
	library.Movements = slices.DeleteFunc(slices.Clone(library.Movements), func(m movement.Movement) bool {
		return wanted.Activity != "" && m.Activity != wanted.Activity || wanted.Movement != "" &&
			m.Movement != wanted.Movement
	})
	body, err := json.Marshal(library)
	if err != nil {
		return err
	}
	c.sendTagged(tag, body)
	return nil
}

// movementParams reads activity and movement, "" for any.
func movementParams(query string) (p movement.Pair, err error) {
	const activity, name seen = 1, 2
	var s seen
	err = eachParam(query, func(parameter, value string) (err error) {
		switch parameter {
		case "activity":
			err = s.label(activity, parameter, value, &p.Activity)
		case "movement":
			err = s.label(name, parameter, value, &p.Movement)
		}
		return err
	})
	return p, err
}
