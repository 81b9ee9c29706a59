package movement

import "fmt"

// withheld is an error that says why a value is not given.
type withheld struct{ code, message string }

func (w *withheld) Error() string { return w.message }

func reason(code, format string, args ...any) *withheld {
	return &withheld{code, fmt.Sprintf(format, args...)}
}

// withhold is reason as an error.
func withhold(code, format string, args ...any) error { return reason(code, format, args...) }
