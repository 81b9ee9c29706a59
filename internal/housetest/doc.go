// Package housetest holds the house to its rules: which room may use which, what
// stands at each door, and what must not stand anywhere. It has tests only.
package housetest
