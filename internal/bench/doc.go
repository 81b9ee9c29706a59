// Package bench measures Kinebase side by side with what it must be measured by:
// a handler that answers constant bytes, and the obvious implementation of the
// same interface. Everything in it is a test file; make bench runs it and
// docs/performance.md tells what it gave.
package bench
