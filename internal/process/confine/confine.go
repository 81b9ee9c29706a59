// Package confine takes from a process what it has no business with: files, the
// network, other processes and new privileges. It uses what Linux lets any process do
// to itself: no_new_privs, Landlock, a filter of system calls (seccomp), and the
// account of nobody where the process is root.
//
// Look says which of these a machine has. Self applies them to the calling process and
// fails when one that Look names cannot be applied: a process that should be confined
// never goes on without.
package confine

import "os"

// The names of the parts, as metrics show them.
const (
	Privileges = "no_new_privileges" // programs that change the account (setuid) have no effect
	Files      = "landlock"          // files are reached only where a rule says so
	Signals    = "landlock_signals"  // no signals to processes outside
	Calls      = "seccomp"           // no sockets, and no calls that reach into other processes
	Account    = "account"           // an account other than the server's
	Server     = "server_memory"     // what a server keeps in memory and environment is not shown in /proc
)

// Part is one part of the confinement of a process.
type Part struct {
	Name   string
	Held   bool
	Why    string // why it is not held; "" when it is
	Wanted bool   // not to hold it is a lack: a server that is not root needs no other account
}

// Rules are what a process keeps.
type Rules struct {
	// UID is the account and the group that a process of root changes to; 0 for none.
	UID int
	// Read are files and folders that it may read and run. What does not exist is left out.
	Read []string
	// Devices are files that it may read and write, and send ioctls to.
	Devices []string
	// Write are folders in which it may do anything.
	Write []string
	// Alone says that it starts no other process and becomes no other program.
	Alone bool
}

// parts gives all parts; those that have a reason are not held.
func parts(reasons map[string]string) []Part {
	var all []Part
	for _, name := range []string{Privileges, Files, Signals, Calls, Account, Server} {
		all = append(all, Part{Name: name, Held: reasons[name] == "", Why: reasons[name], Wanted: name != Account ||
			os.Geteuid() == 0})
	}
	return all
}

// held says whether a part is.
func held(all []Part, name string) bool {
	for _, p := range all {
		if p.Name == name {
			return p.Held
		}
	}
	return false
}
