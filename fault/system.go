package fault

import (
	"errors"
	"syscall"
	"time"
)

// retrySystem is how long a caller is told to wait after an error of the operating system.
// An operator has to act before most of them end.
const retrySystem = 5 * time.Second

// systemErrors are the errors of the operating system that blame the machine and not
// the program: a resource that ran out, or a folder or device that is not as it was at
// the start. write says that the sentence is followed by what the failed write left.
var systemErrors = map[syscall.Errno]struct {
	message string
	write   bool
}{
	syscall.ENOSPC:  {"The server's disk is full.", true},
	syscall.EDQUOT:  {"The server's disk is full.", true},
	syscall.EROFS:   {"The server's disk cannot be written to.", true},
	syscall.EPERM:   {"The server's disk cannot be written to.", true},
	syscall.EACCES:  {"The server has no access to one of its files or folders.", false},
	syscall.EIO:     {"The server's disk failed.", false},
	syscall.ESTALE:  {"The server's disk failed.", false},
	syscall.ENXIO:   {"The server's disk failed.", false},
	syscall.ENODEV:  {"The server's disk failed.", false},
	syscall.ENOENT:  {"One of the server's files or folders is missing.", false},
	syscall.ENOTDIR: {"One of the server's files or folders is missing.", false},
	syscall.EMFILE:  {"The server has too many files open.", false},
	syscall.ENFILE:  {"The server has too many files open.", false},
	syscall.ENOMEM:  {"The server is short of memory.", false},
	syscall.EAGAIN:  {"The server is short of processes or threads.", false},
}

// System says what an error of the operating system means to a caller: Unavailable,
// with a sentence that names what the machine lacks, when err holds one that passes or
// that an operator can end. left is what a failed write left, such as "Nothing was
// stored.", or "". Every other error, nil and a fault included, is given back as it is:
// an EBADF or an EINVAL is a mistake of the program.
func System(err error, left string) error {
	var told *Error
	var number syscall.Errno
	if errors.As(err, &told) || !errors.As(err, &number) {
		return err
	}
	meaning, known := systemErrors[number]
	if !known {
		return err
	}
	message := meaning.message
	if meaning.write && left != "" {
		message += " " + left
	}
	return Busy(err, retrySystem, message)
}
