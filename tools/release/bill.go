package main

import (
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// bill writes what the program is built of: the Go modules that are in it, and the packages of npm
// that the console is bundled from.
func (r *release) bill(context.Context) error {
	info, err := buildinfo.ReadFile(r.program(platforms[0]))
	if err != nil {
		return err
	}
	parts := []cdx.Component{{Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, cdx.Component{
			Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: "pkg:golang/" + m.Path + "@" +
				m.Version,
			Properties: &[]cdx.Property{{Name: "cdx:go:sum", Value: m.Sum}},
		})
	}
	bundled, err := r.bundled()
	if err != nil {
		return err
	}
	parts = append(parts, bundled...)
	for i := range parts {
		parts[i].BOMRef = parts[i].PackageURL
	}
	b := cdx.NewBOM()
	b.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, []byte("kinebase@"+r.commit)).String()
	b.Metadata = &cdx.Metadata{
		Timestamp: r.date.Format(time.RFC3339),
		Component: &cdx.Component{BOMRef: "kinebase", Type: cdx.ComponentTypeApplication, Name: "kinebase",
			Version: r.version, Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}},
	}
	b.Components = &parts
	return r.file("kinebase-"+r.version+".cdx.json", func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).Encode(b)
	})
}

// bundled are the packages of web/package-lock.json that are not for building alone.
func (r *release) bundled() ([]cdx.Component, error) {
	text, err := os.ReadFile(filepath.Join(r.source, "web", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License, Integrity string
			Dev, Optional               bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var parts []cdx.Component
	for path, p := range lock.Packages {
		if path == "" || p.Dev {
			continue
		}
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		part := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: "pkg:npm/" +
			strings.Replace(name, "@", "%40", 1) + "@" + p.Version}
		if p.License != "" {
			part.Licenses = &cdx.Licenses{{Expression: p.License}}
		}
		if sum, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
			if raw, err := base64.StdEncoding.DecodeString(sum); err == nil {
				part.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: hex.EncodeToString(raw)}}
			}
		}
		parts = append(parts, part)
	}
	slices.SortFunc(parts, func(a, b cdx.Component) int { return strings.Compare(a.PackageURL, b.PackageURL) })
	return parts, nil
}
