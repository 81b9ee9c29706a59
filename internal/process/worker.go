package process

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// worker is a reader: a child that reads files of one organization, one after the other.
type worker struct {
	of    string // the organization's id
	cmd   *exec.Cmd
	conn  *line
	said  ends
	files int // that it has read

	last result // its last answer
	once bool   // it reads no other file

	ended chan struct{} // closed when it has ended
	err   error         // how, after that

	tired *time.Timer // ends it when it has waited too long
}

// start starts a reader, each of whose files may have so many bytes written to it at the
// most.
func (r *Runner) start(of string, write int64) (*worker, error) {
	ours, theirs, err := pair()
	if err != nil {
		return nil, cannotStart(err)
	}
	w := &worker{of: of, conn: ours, ended: make(chan struct{})}
	// It outlives the file that it is started for, and ends when it is told to.
	w.cmd = exec.CommandContext(context.Background(), r.Binary, Verb, "--memory="+strconv.FormatInt(r.Memory, 10),
		"--file-size="+strconv.FormatInt(write, 10), "--uid="+strconv.Itoa(r.UID))
	// It has no business where this process is, and nothing of what this process knows.
	w.cmd.Env, w.cmd.Dir, w.cmd.Stderr, w.cmd.WaitDelay = bare(), nowhere, &w.said, waitDelay
	give(w.cmd, theirs, ours)
	w.cmd.SysProcAttr = tied() // it ends with this process
	started := make(chan error, 1)
	go func() {
		_ = onOneThread(func() error {
			err := w.cmd.Start()
			started <- err
			if err == nil {
				w.err = w.cmd.Wait()
				close(w.ended)
			}
			return nil
		})
	}()
	err = <-started
	_ = theirs.Close() // the child has it
	if err != nil {
		return nil, errors.Join(cannotStart(err), ours.Close())
	}
	if err := ours.answered(w.cmd.Process); err != nil {
		w.end()
		return nil, cannotStart(err)
	}
	return w, nil
}

// ask has it read a file. After an error it has ended.
func (w *worker) ask(ctx context.Context, q request, t terms, files []*os.File) (result, error) {
	limited, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	inTime := context.AfterFunc(limited, func() {
		w.kill()
		_ = w.conn.SetDeadline(time.Now())
	})
	text, err := exchange(w.conn, q, files)
	var got result
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if inTime() && err == nil {
		w.files++
		return got, nil
	}
	exit := w.exit(err)
	switch {
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case limited.Err() != nil:
		return result{}, t.late()
	case errors.Is(err, errTalkative):
		return result{}, t.talkative()
	}
	return result{}, t.ended(exit, w.said.String())
}

// exit ends it, after the error of an exchange, and gives how it ended by itself; nil when
// it ended well or did not.
func (w *worker) exit(why error) (exit *exec.ExitError) {
	defer w.end()
	for _, gone := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.EPIPE, syscall.ECONNRESET} {
		if !errors.Is(why, gone) {
			continue
		}
		select {
		case <-w.ended:
			errors.As(w.err, &exit)
		case <-time.After(waitDelay):
		}
		break
	}
	return exit
}

func (w *worker) kill() { _ = w.cmd.Process.Kill() } // it may have ended

// end ends it and waits for that: nothing of it is left.
func (w *worker) end() {
	w.kill()
	<-w.ended
	_ = w.conn.Close()
}

// alive says whether it has not ended.
func (w *worker) alive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}
