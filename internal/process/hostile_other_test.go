//go:build !amd64

package process_test

// elsewhere are ways by the conventions of other machines: here there are none.
var elsewhere []try
