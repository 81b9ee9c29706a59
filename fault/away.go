package fault

import "errors"

// away marks an error of a neighbour that may be there in a moment.
type away struct{ error }

// Unwrap gives the error.
func (a away) Unwrap() error { return a.error }

// Away says of an error, whose text stays as it is, that a database or bucket could not be
// reached and may be there in a moment: whoever starts may try again.
func Away(err error) error { return away{err} }

// IsAway says whether err came of Away.
func IsAway(err error) bool {
	var a away
	return errors.As(err, &a)
}
