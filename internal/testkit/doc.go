// Package testkit holds what tests need of the outside world: real servers that
// live exactly as long as the test process does, on private sockets, without a
// service being installed, configured or left behind.
//
// A package that asks for one hands its tests over first:
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
//
// Only tests import this package.
package testkit
