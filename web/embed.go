// Package web holds the console's front end as it was built into web/dist. A build
// is not committed: without one there is only placeholder.html, which says how to
// make it.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist is the built front end: index.html and assets/, with compressed forms of
// them beside them, or placeholder.html alone.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the name is a constant, and valid
	}
	return dist
}
