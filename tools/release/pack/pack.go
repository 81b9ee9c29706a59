// Package pack says what a package of Kinebase for Debian or Red Hat has in it.
package pack

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers its format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers its format
)

// Package is one of them.
type Package struct {
	Source  string    // the clone
	Program string    // the file
	Arch    string    // as Go calls it
	Version string    // 1.2.3
	Date    time.Time // of every file in it
	Plain   bool      // a deb is not compressed
}

// Write makes it, and calls to with the name that it is to have.
func (p Package) Write(format string, to func(name string, write func(io.Writer) error) error) error {
	info := nfpm.WithDefaults(p.info())
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	err = to(packager.ConventionalFileName(info), func(w io.Writer) error { return packager.Package(info, w) })
	if err != nil {
		return fmt.Errorf("the %s of %s: %w", format, p.Arch, err)
	}
	return nil
}

func (p Package) info() *nfpm.Info {
	from := func(name string) string { return filepath.Join(p.Source, "deploy", "linux", name) }
	plain := func(source, destination string, mode uint32) *files.Content {
		return &files.Content{Source: source, Destination: destination,
			FileInfo: &files.ContentFileInfo{Mode: fs.FileMode(mode), MTime: p.Date, Owner: "root", Group: "root"}}
	}
	settings := plain(from("kinebase.env"), "/etc/kinebase/kinebase.env", 0o640)
	settings.Type = files.TypeConfigNoReplace
	compression := "xz"
	if p.Plain {
		compression = "none"
	}
	return &nfpm.Info{
		Name: "kinebase", Arch: p.Arch, Platform: "linux", Version: p.Version, VersionSchema: "semver", Release: "1",
		Section: "science", Priority: "optional", License: "Apache-2.0", MTime: p.Date,
		Maintainer: "Kinebase <kinebase@localhost>", Vendor: "Kinebase",
		Homepage: "https://github.com/kinebase/kinebase",
		Description: "Service for motion captures and athletes\nKeeps motion captures and the people in them, reads " +
			"motion files, and serves both\nover HTTP, with a web console.",
		Overridables: nfpm.Overridables{
			Umask:      0o022,
			Recommends: []string{"systemd"},
			Contents: files.Contents{
				plain(p.Program, "/usr/bin/kinebase", 0o755),
				plain(from("kinebase.service"), "/usr/lib/systemd/system/kinebase.service", 0o644),
				plain(from("sysusers.conf"), "/usr/lib/sysusers.d/kinebase.conf", 0o644),
				plain(filepath.Join(p.Source, "LICENSE"), "/usr/share/doc/kinebase/copyright", 0o644),
				settings,
			},
			Scripts: nfpm.Scripts{PostInstall: from("installed.sh"), PreRemove: from("leaving.sh"),
				PostRemove: from("left.sh")},
			RPM: nfpm.RPM{Compression: "gzip:9", BuildHost: "kinebase"},
			Deb: nfpm.Deb{Compression: compression},
		},
	}
}
