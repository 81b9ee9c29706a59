package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const (
	home    = "var/lib/kinebase/" // of the data, in an image
	account = 65532               // that an image runs as
)

// image makes an OCI layout with an image for each architecture of Linux: the program,
// certificates, time zones, and nothing else.
func (r *release) image(ctx context.Context) error {
	ground, err := r.ground(ctx)
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		program, err := os.ReadFile(r.program(p))
		if err != nil {
			return err
		}
		made, err := r.oneImage(p, ground, []entry{{"usr/bin/", 0o755, nil}, {"usr/bin/kinebase", 0o755, program}})
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index,
			mutate.IndexAddendum{Add: made,
				Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}}})
	}
	_, err = layout.Write(r.path("kinebase-"+r.version+"-oci"),
		mutate.AppendManifests(empty.Index, mutate.IndexAddendum{
			Add: index, Descriptor: v1.Descriptor{
				Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version}},
		}))
	return err
}

func (r *release) oneImage(p platform, layers ...[]entry) (v1.Image, error) {
	made := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, entries := range layers {
		var b bytes.Buffer
		if err := writeTar(&b, entries, r.date, account); err != nil {
			return nil, err
		}
		layer, err := tarball.LayerFromOpener(
			func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
			tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return nil, err
		}
		if made, err = mutate.Append(made,
			mutate.Addendum{Layer: layer,
				History: v1.History{Created: v1.Time{Time: r.date}, CreatedBy: "release"}}); err != nil {
			return nil, err
		}
	}
	return mutate.ConfigFile(made, r.described(p, made))
}

// described is the configuration of an image, whose layers it already has.
func (r *release) described(p platform, made v1.Image) *v1.ConfigFile {
	c, err := made.ConfigFile()
	if err != nil {
		panic(err) // it is in memory
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Created = p.os, p.arch, v1.Time{Time: r.date}
	c.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", account, account), Entrypoint: []string{"/usr/bin/kinebase"}, Cmd: []string{"serve"},
		WorkingDir: "/" + home, StopSignal: "SIGTERM",
		Env: []string{"PATH=/usr/bin", "KINEBASE_DATA=/" + strings.TrimSuffix(home, "/"),
			"KINEBASE_LISTEN=:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/" + strings.TrimSuffix(home, "/"): {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "Kinebase", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return c
}

// ground is what the program finds around it: an account, a folder for its data and one for
// temporary files, the certificates that Mozilla trusts, and the time zones of the Go distribution.
func (r *release) ground(ctx context.Context) ([]entry, error) {
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil { // those that count for all names
			if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
				return nil, err
			}
		}
	}
	entries := []entry{
		{"etc/", 0o755, nil},
		{"etc/passwd", 0o644, fmt.Appendf(nil,
			"root:x:0:0:root:/:/sbin/nologin\nkinebase:x:%d:%[1]d:kinebase:/%s:/sbin/nologin\n", account, home)},
		{"etc/group", 0o644, fmt.Appendf(nil, "root:x:0:\nkinebase:x:%d:\n", account)},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, roots.Bytes()},
		{"tmp/", 0o1777, nil}, {home, 0o700, nil},
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	zones, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(out)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = zones.Close() }()
	for _, f := range zones.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{"usr/share/zoneinfo/" + f.Name, 0o644, body})
	}
	return entries, nil
}
