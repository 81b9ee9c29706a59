package process_test

import (
	"errors"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// elsewhere are ways by the conventions of other machines, which this one speaks too.
var elsewhere = []try{
	{"a socket of 32 bits", socket32},
	{"a socket of x32", func(targets) error {
		return number(unix.SYS_SOCKET|0x40000000, unix.AF_UNIX, unix.SOCK_STREAM,
			0)
	}},
}

// socket32 asks for a Unix socket by the calls of a machine of 32 bits.
func socket32(targets) error {
	code := []byte{
		0xb8, 0x67, 0x01, 0x00, 0x00, // mov eax, 359: socket
		0xbb, 0x01, 0x00, 0x00, 0x00, // mov ebx, AF_UNIX
		0xb9, 0x01, 0x00, 0x00, 0x00, // mov ecx, SOCK_STREAM
		0x31, 0xd2, // xor edx, edx
		0xcd, 0x80, // int 0x80
		0xc3, // ret
	}
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return err
	}
	copy(page, code)
	at := &page[0]
	closure := &at
	got := (*(*func() int32)(unsafe.Pointer(&closure)))()
	if got < 0 {
		return errors.Join(syscall.Errno(-got), unix.Munmap(page))
	}
	return errors.Join(unix.Close(int(got)), unix.Munmap(page))
}
