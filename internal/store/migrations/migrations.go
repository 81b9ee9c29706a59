// Package migrations holds the tables of a store, version by version. A version is a file for each engine, in the
// folders sqlite and postgres, or one file for both, in the folder both and in the words of PostgreSQL.
package migrations

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed sqlite postgres both
var folders embed.FS

// sqliteWords are the words of SQLite for those of PostgreSQL, by which columns are declared.
var sqliteWords = strings.NewReplacer(` COLLATE "C"`, "", "BIGINT", "INTEGER", "DOUBLE PRECISION", "REAL",
	"BYTEA", "BLOB", "UUID", "BLOB")

// Of gives the files of an engine, "sqlite" or "postgres", and those for both, with the statements in its words.
func Of(engine string) fs.FS { return In(folders, engine) }

// In gives the same of other folders.
func In(folders fs.FS, engine string) fs.FS { return migrations{folders, engine} }

type migrations struct {
	folders fs.FS
	engine  string
}

// Open opens one file.
func (m migrations) Open(name string) (fs.File, error) {
	file, err := m.folders.Open(m.engine + "/" + name)
	if err == nil {
		return file, nil
	}
	if file, err = m.folders.Open("both/" + name); err != nil || m.engine != "sqlite" {
		return file, err
	}
	text, err := io.ReadAll(file)
	return translated{file, strings.NewReader(sqliteWords.Replace(string(text)))}, err
}

// ReadDir lists the files of both folders.
func (m migrations) ReadDir(name string) (all []fs.DirEntry, err error) {
	for _, folder := range []string{m.engine, "both"} {
		files, err := fs.ReadDir(m.folders, path.Join(folder, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, files...)
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// translated is a file with another text.
type translated struct {
	fs.File
	text io.Reader
}

// Read reads the text.
func (t translated) Read(p []byte) (int, error) { return t.text.Read(p) }
