package store

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// The name of a new or renamed organization is unique by organization.NameKey, which its row has in name_key. Rows of
// before have none until somebody is called next; of several with one key the oldest gets it, and the others stay
// without.

// nameOf gives the key of the name that an organization is to have, or a fault.Conflict when another one has it.
func (w *writeTx) nameOf(key db.ID, name string) (folded string, err error) {
	type row struct {
		id     db.ID
		name   string
		folded *string
	}
	var all []row
	if err := w.Do(db.Each(func(r db.Rows) error {
		var o row
		err := r.Scan(&o.id, &o.name, &o.folded)
		all = append(all, o)
		return err
	}, `SELECT id, name, name_key FROM organization ORDER BY created_at, id`)); err != nil {
		return "", err
	}
	of := map[string]row{}
	for _, o := range all {
		if o.folded != nil {
			of[*o.folded] = o
		}
	}
	for _, o := range all {
		if o.folded != nil || o.id == key {
			continue
		}
		folded := organization.NameKey(o.name)
		if _, taken := of[folded]; taken {
			continue
		}
		of[folded] = o
		if err := w.Do(db.Exec(`UPDATE organization SET name_key = $2 WHERE id = $1`, o.id, folded)); err != nil {
			return "", err
		}
	}
	folded = organization.NameKey(name)
	switch o, taken := of[folded]; {
	case !taken || o.id == key:
		return folded, nil
	case o.name == name:
		return "", fault.New(fault.Conflict, "there is an organization called %q already", name)
	default:
		return "", fault.New(fault.Conflict,
			"there is an organization called %q already, and %q is the same name but for the case or the form of its "+
				"letters", o.name, name)
	}
}
