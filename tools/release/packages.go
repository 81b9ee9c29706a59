package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers its format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers its format
)

// packages makes a deb and an rpm for each architecture of Linux.
func (r *release) packages(context.Context) error {
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			info := nfpm.WithDefaults(r.packed(p))
			packager, err := nfpm.Get(format)
			if err != nil {
				return err
			}
			if err := nfpm.PrepareForPackager(info, format); err != nil {
				return err
			}
			if err := r.file(packager.ConventionalFileName(info),
				func(w io.Writer) error { return packager.Package(info, w) }); err != nil {
				return fmt.Errorf("the %s of %s: %w", format, p.arch, err)
			}
		}
	}
	return nil
}

// packed says what a package has in it.
func (r *release) packed(p platform) *nfpm.Info {
	from := func(name string) string { return filepath.Join(r.source, "deploy", "linux", name) }
	plain := func(source, destination string, mode uint32) *files.Content {
		return &files.Content{Source: source, Destination: destination,
			FileInfo: &files.ContentFileInfo{Mode: fs.FileMode(mode), MTime: r.date, Owner: "root", Group: "root"}}
	}
	settings := plain(from("kinebase.env"), "/etc/kinebase/kinebase.env", 0o640)
	settings.Type = files.TypeConfigNoReplace
	return &nfpm.Info{
		Name: "kinebase", Arch: p.arch, Platform: "linux", Version: r.version, VersionSchema: "semver", Release: "1",
		Section: "science", Priority: "optional", License: "Apache-2.0", MTime: r.date,
		Maintainer: "Kinebase <kinebase@localhost>", Vendor: "Kinebase",
		Homepage: "https://github.com/kinebase/kinebase",
		Description: "Service for motion captures and athletes\nKeeps motion captures and the people in them, reads " +
			"motion files, and serves both\nover HTTP, with a web console.",
		Overridables: nfpm.Overridables{
			Umask:      0o022,
			Recommends: []string{"systemd"},
			Contents: files.Contents{
				plain(r.program(p), "/usr/bin/kinebase", 0o755),
				plain(from("kinebase.service"), "/usr/lib/systemd/system/kinebase.service", 0o644),
				plain(from("sysusers.conf"), "/usr/lib/sysusers.d/kinebase.conf", 0o644),
				plain(filepath.Join(r.source, "LICENSE"), "/usr/share/doc/kinebase/copyright", 0o644),
				settings,
			},
			Scripts: nfpm.Scripts{PostInstall: from("installed.sh"), PreRemove: from("leaving.sh"),
				PostRemove: from("left.sh")},
			RPM: nfpm.RPM{Compression: "gzip:9", BuildHost: "kinebase"},
			Deb: nfpm.Deb{Compression: "xz"},
		},
	}
}
