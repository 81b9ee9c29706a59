//go:build !linux

package confine

import "runtime"

// Look says that nothing can be confined here.
func Look(int) []Part {
	why := "this operating system (" + runtime.GOOS + ") has nothing of the kind"
	return parts(map[string]string{Privileges: why, Files: why, Signals: why, Calls: why, Account: why, Server: why})
}

// Becomes says that no child has another account here.
func Becomes(int) bool { return false }

// Self does nothing here.
func Self(Rules) error { return nil }

// Guard does nothing here.
func Guard() error { return nil }
