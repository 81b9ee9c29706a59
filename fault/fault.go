// Package fault is the vocabulary of everything that can go wrong and that a
// caller may be told about: a code, a sentence for people, and, where one input
// is to blame, the name of the field. It knows nothing of HTTP; the codes are
// nevertheless spelled as the interface spells them, so that a transport only
// has to choose a status.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code is the short machine-readable name of a kind of error. It is the value
// of "error" in an error body.
type Code string

// The codes of the interface (section 7), then those that Kinebase adds.
const (
	BadRequest           Code = "BadRequest"
	Unauthorized         Code = "Unauthorized"
	Forbidden            Code = "Forbidden"
	NotFound             Code = "NotFound"
	TooManyRequests      Code = "TooManyRequests"
	Internal             Code = "InternalServerError"
	MethodNotAllowed     Code = "MethodNotAllowed"
	Conflict             Code = "Conflict"
	Gone                 Code = "Gone"
	PreconditionFailed   Code = "PreconditionFailed"
	PayloadTooLarge      Code = "PayloadTooLarge"
	UnsupportedMediaType Code = "UnsupportedMediaType"
	Unprocessable        Code = "UnprocessableRequest"
	ChecksumMismatch     Code = "ChecksumMismatch"
	Unavailable          Code = "ServiceUnavailable"
)

// Problem is one thing wrong with one input.
type Problem struct {
	Field   string // the field's name as the caller wrote it, "" when no single field is to blame
	Message string // a whole sentence that names the field and the rule
}

// Error is a failure that may be shown to the caller. Message never holds SQL,
// paths, stack traces or another organization's data; Cause, which may, is for
// the log alone.
type Error struct {
	Code       Code
	Message    string
	Problems   []Problem     // every problem of a body, in the order of the input; nil for other errors
	RetryAfter time.Duration // when to come back, for TooManyRequests and Unavailable
	Cause      error
}

// Error gives the code and the message, and the cause for logs.
func (e *Error) Error() string {
	if e.Cause != nil {
		return string(e.Code) + ": " + e.Message + ": " + e.Cause.Error()
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Messages joins all problems with "; ", the form of the interface's field
// "messages"; it is empty when there are none.
func (e *Error) Messages() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.Message
	}
	return strings.Join(parts, "; ")
}

// New makes an error of the given code with a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause that only the log sees.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Cause = cause
	return e
}

// Busy says that the service cannot take the request now, and when to try again.
func Busy(cause error, after time.Duration, message string) *Error {
	return &Error{Code: Unavailable, Message: message, RetryAfter: after, Cause: cause}
}

// CodeOf gives the code of err: Internal for an error that is not a fault,
// "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Is says whether err carries the code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }

// Problems collects what is wrong with one body, so that a caller is told
// everything at once. The zero value is ready.
type Problems []Problem

// Add notes a problem with a field; the formatted message names it.
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Blame notes an error as the problem of a field, in the words of the fault that
// it carries; nil is no problem.
func (p *Problems) Blame(field string, err error) {
	var e *Error
	if errors.As(err, &e) {
		p.Add(field, "%s", e.Message)
	} else if err != nil {
		p.Add(field, "%s is not valid", field)
	}
}

// Err is nil when nothing was added, else a BadRequest that carries all
// problems; its message is the first one, with a count of the others.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	msg := p[0].Message
	if n := len(p) - 1; n == 1 {
		msg += " (and 1 more problem)"
	} else if n > 1 {
		msg += fmt.Sprintf(" (and %d more problems)", n)
	}
	return &Error{Code: BadRequest, Message: msg, Problems: p}
}
