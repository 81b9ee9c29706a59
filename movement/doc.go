// Package movement is the library of movements: what each one is, which events and
// metrics it has, by which published definitions they are found, and the code that finds
// them in a recording. A definition and its code stand together, and a threshold is told
// in one place: as a [Parameter], which the text, the interface and the code all read.
//
// A number is given only where all that its definition demands was there. What is not
// given is withheld with a reason, which says the numbers that decided.
package movement
