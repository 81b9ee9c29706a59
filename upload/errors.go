package upload

import "errors"

var (
	// ErrNoFile says that there is no file of a name.
	ErrNoFile = errors.New("there is no such file")
	// ErrLost says that a piece of work is not, or no longer, the worker's.
	ErrLost = errors.New("the work was taken over or its capture is gone")
)
