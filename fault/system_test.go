package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestAnErrorOfTheMachineIsUnavailableAndAnErrorOfTheProgramIsNot(t *testing.T) {
	for number := syscall.Errno(1); number < 134; number++ {
		_, machine := systemErrors[number]
		for _, err := range []error{
			number, &fs.PathError{Op: "open", Path: "/secret/path", Err: number}, os.NewSyscallError("pipe2", number),
			fmt.Errorf("starting a child process: %w",
				&fs.PathError{Op: "fork/exec", Path: "/secret/path", Err: number}),
			errors.Join(errors.New("first"), number),
		} {
			got := System(err, "Nothing was stored.")
			if !errors.Is(got, number) {
				t.Errorf("%v: the cause is lost", err)
			}
			if Is(got, Unavailable) != machine {
				t.Errorf("%v is told as %v", err, got)
			}
			var told *Error
			if machine && (!errors.As(got, &told) || told.RetryAfter <= 0 || strings.Contains(told.Message, "secret")) {
				t.Errorf("%v is told as %v", err, got)
			}
		}
	}
}

func TestWhatAFailedWriteLeftIsSaidOfWritesAlone(t *testing.T) {
	for number, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "The server's disk is full. Nothing was stored.",
		syscall.EPERM:  "The server's disk cannot be written to. Nothing was stored.",
		syscall.EMFILE: "The server has too many files open.",
	} {
		var told *Error
		if !errors.As(System(number, "Nothing was stored."), &told) || told.Message != want {
			t.Errorf("%v is told as %v, want %q", number, told, want)
		}
	}
	var told *Error
	if !errors.As(System(syscall.ENOSPC, ""), &told) || told.Message != "The server's disk is full." {
		t.Errorf("a full disk is told as %v", told)
	}
}

func TestAFaultStaysTheFaultThatItIs(t *testing.T) {
	f := Wrap(syscall.ENOSPC, Conflict, "as it was")
	if got := System(fmt.Errorf("around: %w", f), ""); !Is(got, Conflict) {
		t.Errorf("a fault became %v", got)
	}
	if System(nil, "") != nil {
		t.Error("no error became one")
	}
}
