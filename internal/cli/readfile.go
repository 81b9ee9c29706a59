package cli

import "github.com/kinebase/kinebase/internal/process"

// readFileCmd and confinedCmd are how the server starts children of its own: it
// gives them the files that they need, so they are of no use to people.
type readFileCmd struct {
	Args []string `arg:"" optional:"" help:"What the server says."`
}

// Run reads a motion file.
func (c *readFileCmd) Run() error {
	return ended(process.Main(append([]string{process.Verb}, c.Args...)))
}

type confinedCmd struct {
	Args []string `arg:"" optional:"" help:"What the server says."`
}

// Run becomes another program, under limits.
func (c *confinedCmd) Run() error {
	return ended(process.Main(append([]string{process.Confine}, c.Args...)))
}

func ended(code int) error {
	if code != 0 {
		return errReported
	}
	return nil
}
