package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNobodyElseCanReadTheFiles(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755)) // as an operator may have made it
	s := place{t, Options{Data: dir}}.open()
	create(t, s, tenant(t, s, "A"), person("1"))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	if len(files) < 4 { // the database, its log, its index and the lock
		t.Fatalf("only %v", files)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", filepath.Base(file), info.Mode())
		}
	}
}
