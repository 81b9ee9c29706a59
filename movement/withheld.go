package movement

import "fmt"

// withheld is an error that says why a value is not given.
type withheld struct{ code, message string }

func (w *withheld) Error() string { return w.message }

func withhold(code, format string, args ...any) error {
	return &withheld{code, fmt.Sprintf(format, args...)}
}
