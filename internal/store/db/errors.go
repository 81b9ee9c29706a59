package db

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ncruces/go-sqlite3"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/fault"
)

// ToFault turns what a database says into what a caller may hear: which of it is
// passing (try again), and in words that an operator understands. Everything
// else stays as it is and becomes an internal error.
func ToFault(err error) error {
	var f *fault.Error
	var unknown *commitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown): // also when the breaker has ended it
		return fault.Busy(err, 2*time.Second,
			"The server's database was lost at the last moment. Whether the change was made is not known.")
	case breaker.Silent(err):
		return err
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.Busy(err, time.Second, "The request was given up before it was done.")
	case errors.Is(err, os.ErrClosed):
		return fault.Busy(err, 5*time.Second, "The server is stopping.")
	}
	// The system's error, where it is known, is more exact than SQLite's code for it.
	if system := fault.System(err, "Nothing was changed."); fault.Is(system, fault.Unavailable) {
		return system
	}
	for _, c := range []struct {
		code    sqlite3.ErrorCode
		message string
	}{
		{sqlite3.FULL, "The server's disk is full. Nothing was changed."},
		{sqlite3.READONLY, "The server's disk cannot be written to. Nothing was changed."},
		{sqlite3.CANTOPEN, "The server's database cannot be opened. Nothing was changed."},
		{sqlite3.IOERR, "The server's disk failed. Nothing was changed."},
		{sqlite3.BUSY, "The server's database is busy. Nothing was changed."},
		{sqlite3.LOCKED, "The server's database is busy. Nothing was changed."},
		{sqlite3.NOMEM, "The server is short of memory. Nothing was changed."},
	} {
		if errors.Is(err, c.code) {
			return fault.Busy(err, 5*time.Second, c.message)
		}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch {
		case pg.Code == "53100" || pg.Code == "25006" || pg.Code == "58030":
			return fault.Busy(err, 5*time.Second, "The server's database cannot be written to. Nothing was changed.")
		case pg.Code[:2] == "53", pg.Code[:2] == "57", pg.Code[:2] == "08", pg.Code == "40001", pg.Code == "40P01",
			pg.Code == "55P03":
			return fault.Busy(err, 2*time.Second, "The server's database is busy. Nothing was changed.")
		}
		return err
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) { // so nothing was ever sent
		return fault.Busy(err, 2*time.Second, "The server's database cannot be reached. Nothing was changed.")
	}
	if isNetwork(err) { // perhaps in the middle of a COMMIT: nobody knows
		return fault.Busy(err, 2*time.Second, "The server's database cannot be reached.")
	}
	return err
}

// Away says whether a PostgreSQL could not be reached, or does not take connections
// just now.
func Away(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code[:2] == "08" || slices.Contains([]string{"53300", "57P01", "57P02", "57P03"}, pg.Code)
	}
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || isNetwork(err)
}

// isNetwork says whether a connection failed under the statement.
func isNetwork(err error) bool {
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNREFUSED) ||
		pgconn.Timeout(err) || pgconn.SafeToRetry(err) || err != nil && err.Error() == "conn closed"
}

// WaitedTooLong says whether a lock was not granted in time.
func WaitedTooLong(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
