package db

// setLock locks bytes for an open file instead of a process: F_OFD_SETLK of <sys/fcntl.h>.
const setLock = 90
