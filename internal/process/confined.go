package process

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// confined sets limits and becomes another program, which cannot lift them.
func confined(args []string) error {
	var l limits
	set := flag.NewFlagSet(Confine, flag.ContinueOnError)
	l.flags(set)
	if err := set.Parse(args); err != nil {
		return err
	}
	command := set.Args()
	if len(command) == 0 {
		return errors.New("there is no command to run")
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("the command cannot be found: %w", err)
	}
	env := os.Environ()
	if err := l.set(); err != nil {
		return err
	}
	return syscall.Exec(program, command, env)
}
