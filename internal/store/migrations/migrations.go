// Package migrations holds the tables of a store, version by version, once for each engine.
package migrations

import "embed"

// Files has the folders sqlite and postgres.
//
//go:embed sqlite postgres
var Files embed.FS
