package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/upload"
)

// GiveUp has the store keep no deletion for a place any more, and says so in the place: nothing is backed up to it from
// then on, and who restores one of its backups is told. It gives the name of the place. ErrElsewhere when
// another process brings its list up to date just now.
func GiveUp(ctx context.Context, s Source, p Place, now func() time.Time) (place string, err error) {
	identity, err := s.Identity(ctx)
	if err != nil {
		return "", err
	}
	err = s.Exclusive(ctx, LockErasures, func() error {
		o, err := belongs(ctx, p, identity)
		if errors.Is(err, upload.ErrNoFile) {
			return errors.New("this place has no backups of the store")
		}
		if err != nil {
			return err
		}
		if o.GivenUp == nil { // the place first: one that the store does not know says what became of it
			at := now().UTC().Truncate(time.Second)
			o.GivenUp = &at
			if err := o.put(ctx, p); err != nil {
				return err
			}
		}
		place = o.Place
		_, err = s.GiveUpPlace(ctx, o.Place)
		return err
	})
	return place, err
}

// givenUp is what somebody is told who restores a backup of a place that was given up; "" of any other.
func givenUp(o owner) string {
	if o.GivenUp == nil {
		return ""
	}
	return fmt.Sprintf("The place was given up at %s: what was deleted after that is not in its list, and is not "+
		"erased again.", o.GivenUp.Format(time.RFC3339))
}
