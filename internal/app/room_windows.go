package app

import "golang.org/x/sys/windows"

// freeBytes is the room that is left where a folder is.
func freeBytes(dir string) (n uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &n, nil, nil)
	return n, err
}
