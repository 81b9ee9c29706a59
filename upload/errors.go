package upload

import "errors"

var (
	// ErrNoFile says that there is no file of a name.
	ErrNoFile = errors.New("there is no such file")
	// ErrChanged says that a file is not, or no longer, the one that was seen.
	ErrChanged = errors.New("the file was replaced meanwhile")
)
