package main

import (
	"context"

	"github.com/kinebase/kinebase/tools/release/pack"
)

// packages makes a deb and an rpm for each architecture of Linux.
func (r *release) packages(context.Context) error {
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		made := pack.Package{Source: r.source, Program: r.program(p), Arch: p.arch, Version: r.version, Date: r.date}
		for _, format := range []string{"deb", "rpm"} {
			if err := made.Write(format, r.file); err != nil {
				return err
			}
		}
	}
	return nil
}
