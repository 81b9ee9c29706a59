package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// command is a program of somebody else that runs once.
type command struct {
	args []string
	env  []string
	dir  string
	// hear is given each line of standard output that is whole; nil for a program of which nothing is heard.
	hear func(line string)
	terms
}

// waitDelay is how long a child's output may stay open once it has ended: it may
// have left children.
const waitDelay = 5 * time.Second

// run runs the program to its end and gives its standard output, and the beginning and the
// end of its standard error. The error is ctx's own, an *upload.Died, or that the program
// could not be started.
func (c *command) run(ctx context.Context) (out []byte, said string, err error) {
	limited, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	child := exec.CommandContext(limited, c.args[0], c.args[1:]...)
	child.Env, child.Dir, child.WaitDelay = c.env, c.dir, waitDelay
	var text head
	var complaint ends
	child.Stdout, child.Stderr = &text, &complaint
	if c.hear != nil {
		child.Stdout = io.MultiWriter(&text, &lines{hear: c.hear})
	}
	// The child ends with this process, even one that is killed, and its own children
	// with it when it is stopped.
	child.SysProcAttr = tied()
	child.Cancel = func() error {
		return killAll(child.Process)
	}
	err = onOneThread(child.Run)
	if child.Process != nil { // what it left behind
		_ = killAll(child.Process)
	}
	said = complaint.String()
	var exit *exec.ExitError
	switch {
	case err == nil && !text.over:
		return text.Bytes(), said, nil
	case ctx.Err() != nil:
		return nil, said, ctx.Err()
	case limited.Err() != nil:
		return nil, said, c.late()
	case text.over:
		return nil, said, c.talkative()
	case !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return nil, said, cannotStart(err)
	}
	return nil, said, c.ended(exit, said)
}

// onOneThread runs f in a thread that lasts as long as f: a child is killed when the
// thread ends that started it, not when the process does.
func onOneThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- f()
	}()
	return <-done
}

// head keeps the beginning of what is written.
type head struct {
	bytes.Buffer
	over bool
}

func (h *head) Write(b []byte) (int, error) {
	if h.Len()+len(b) > largestResult {
		h.over = true
		return len(b), nil
	}
	return h.Buffer.Write(b)
}

// ends keeps the beginning and the end of what is written: a Go program that dies
// says why first, most others last.
type ends struct {
	mu          sync.Mutex
	first, last []byte // what is in first is not in last
}

const edge = 4 << 10

func (e *ends) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(b)
	room := min(n, edge-len(e.first))
	e.first, b = append(e.first, b[:room]...), b[room:]
	if e.last = append(e.last, b...); len(e.last) > 2*edge {
		e.last = append(e.last[:0], e.last[len(e.last)-edge:]...)
	}
	return n, nil
}

func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.TrimSpace(string(e.first) + string(e.last))
}
