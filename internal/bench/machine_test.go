package bench

import (
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// machine names what the figures were measured on.
func (b *bench) machine() string {
	model := "an unknown processor"
	if raw, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	var u unix.Utsname
	kernel := "an unknown kernel"
	if unix.Uname(&u) == nil {
		kernel = unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
	}
	engines := "SQLite " + sqliteVersion()
	if b.postgres != "" {
		engines += ", " + b.postgres
	}
	return fmt.Sprintf("%s: %s, %d cores, %s, %s, %s. %s captures, %d rounds of %d s, medians.",
		time.Now().UTC().Format("2 January 2006"), model, runtime.NumCPU(), kernel, runtime.Version(), engines,
		thousands(int64(b.captures)), b.rounds, b.seconds)
}

func sqliteVersion() (v string) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err == nil {
		defer db.Close()
		err = db.QueryRow("SELECT sqlite_version()").Scan(&v)
	}
	if err != nil {
		return err.Error()
	}
	return v
}
