// Package e2e tests what only a whole, real program can show: that it survives
// being killed, a full disk, a database or a Redis that dies, a second server on
// the same data; that tenants cannot tell each other's ids from made-up ones; and
// that every block of the README and of docs works as it stands.
package e2e
