package process

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// nowhere is the server's own folder: every program has one.
const nowhere = ""

// bare is the environment of a reader: Windows starts nothing without this one.
func bare() []string { return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} }

// set does nothing: there are no such limits here. The collector keeps to a reader's memory as
// far as it can, and the server to its time.
func (l *limits) set() error { return nil }

func limitFiles(int64, int64) error { return nil }

// tied says nothing: a reader ends when the line to the server does.
func tied() *syscall.SysProcAttr { return nil }

func killAll(child *os.Process) error { return child.Kill() }

// nameless makes a file that is gone when it is closed, whoever is killed.
func nameless(dir string) (*os.File, bool) {
	path := filepath.Join(dir, ".kinebase-"+strconv.FormatUint(rand.Uint64(), 36))
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, false
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.CREATE_NEW,
		windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		return nil, false
	}
	return os.NewFile(uintptr(handle), path), true
}

var errNoVideos = errors.New("videos are not processed on Windows: no program can be confined there")

func openPlainly(string) (*os.File, error) { return nil, errNoVideos }

func lockFolder(*os.File) (bool, error) { return false, errNoVideos }
