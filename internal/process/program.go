package process

import "os"

// Program gives a path to the program whose children read files: the running one. The tests of
// the server give one that starts sooner than they do.
var Program = itself

// itself is a path to the running program. Linux has one that still leads to it when
// another version has been put in its place.
func itself() string {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running
	}
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
