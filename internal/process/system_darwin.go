package process

import (
	"os"
	"syscall"
)

// tied has a child's own children be killed with it. A reader ends when the line to the server does.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// nameless says that there are no files without a name here.
func nameless(string) (*os.File, bool) { return nil, false }
