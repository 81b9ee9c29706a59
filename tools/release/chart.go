package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// chartVersion is what a chart says of its own version and that of the program.
var chartVersion = regexp.MustCompile(`(?m)^(version|appVersion): .*$`)

// chart packs the Helm chart, at the version of the release.
func (r *release) chart(context.Context) error {
	root := filepath.Join(r.source, "deploy", "helm")
	var entries []entry
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { // by name
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if filepath.Base(path) == "Chart.yaml" {
			body = chartVersion.ReplaceAll(body, fmt.Appendf(nil, "$1: %q", r.version))
		}
		entries = append(entries, entry{filepath.ToSlash(name), 0o644, body})
		return err
	})
	if err != nil {
		return err
	}
	return r.file("kinebase-chart-"+r.version+".tgz",
		func(w io.Writer) error { return writeTarGzip(w, entries, r.date) })
}
