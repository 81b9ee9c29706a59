//go:build linux && !amd64 && !arm64

package confine

// On other machines the arguments of some calls are elsewhere, or calls have several
// numbers; nobody has tried a filter there.
const machine, otherConvention = 0, 0

var deniedHere, deniedAloneHere []call
