package upload

import "errors"

var (
	// ErrNoFile says that there is no file of a name.
	ErrNoFile = errors.New("there is no such file")
	// ErrChanged says that a file is not, or no longer, the one that was seen.
	ErrChanged = errors.New("the file was replaced meanwhile")
	// ErrLost says that a piece of work is not, or no longer, the worker's.
	ErrLost = errors.New("the work was taken over or its capture is gone")
)
