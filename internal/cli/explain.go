package cli

import (
	"context"
	"errors"
	"net"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kinebase/kinebase/fault"
)

// explain is an error in one line, for people. A fault's cause is told too: who
// types commands runs the server, and has to know that it was the disk.
func explain(err error) string {
	if errors.Is(err, context.Canceled) {
		return "stopped before it was done"
	}
	if text := explainDatabase(err); text != "" {
		return oneLine(text)
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		return oneLine(err.Error())
	}
	text := f.Message
	if f.Cause != nil {
		text = strings.TrimSuffix(text, ".") + " (" + f.Cause.Error() + ")"
	}
	return oneLine(text)
}

// explainDatabase says why there is no PostgreSQL to work with, "" when that is
// not what went wrong. What the driver says names every layer on the way down.
func explainDatabase(err error) string {
	var connect *pgconn.ConnectError
	if !errors.As(err, &connect) {
		return ""
	}
	const head = "the database cannot be used: "
	var (
		refused *pgconn.PgError
		network *net.OpError
		name    *net.DNSError
	)
	switch {
	case errors.As(err, &refused):
		return head + refused.Message
	case errors.As(err, &name):
		return head + "there is no host named " + name.Name
	case errors.As(err, &network) && network.Addr != nil:
		why := network.Err
		for next := errors.Unwrap(why); next != nil; next = errors.Unwrap(why) {
			why = next
		}
		return head + network.Addr.String() + ": " + why.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return head + "it does not answer"
	}
	return head + strings.TrimPrefix(connect.Error(), "failed to connect to ")
}

var lineBreak = regexp.MustCompile(`\s*[\r\n]+\s*`)

// oneLine makes a line of several.
func oneLine(text string) string {
	text = lineBreak.ReplaceAllString(strings.TrimSpace(text), "; ")
	return strings.ReplaceAll(text, ":; ", ": ")
}
