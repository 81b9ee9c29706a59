package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	mode int64 // 0o755 for a program
	body []byte
}

// archives packs each program with the licence: tar.gz, and zip for Windows.
func (r *release) archives(context.Context) error {
	licence, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return err
	}
	for _, p := range platforms {
		body, err := os.ReadFile(r.program(p))
		if err != nil {
			return err
		}
		base := fmt.Sprintf("kinebase-%s-%s-%s", r.version, p.os, p.arch)
		entries := []entry{{base + "/" + filepath.Base(r.program(p)), 0o755, body}, {base + "/LICENSE", 0o644, licence}}
		ending, pack := ".tar.gz", writeTarGzip
		if p.os == "windows" {
			ending, pack = ".zip", writeZip
		}
		if err := r.file(base+ending, func(w io.Writer) error { return pack(w, entries, r.date) }); err != nil {
			return err
		}
	}
	return nil
}

// file makes a file of the release.
func (r *release) file(name string, write func(io.Writer) error) error {
	f, err := os.Create(r.path(name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// writeTar writes entries whose names end in / as folders.
func writeTar(w io.Writer, entries []entry, at time.Time, owner int) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.body)), ModTime: at, Typeflag: tar.TypeReg,
			Format: tar.FormatPAX}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if strings.HasPrefix(e.name, home) {
			h.Uid, h.Gid = owner, owner
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(e.body); err != nil {
			return err
		}
	}
	return t.Close()
}

func writeTarGzip(w io.Writer, entries []entry, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(z, entries, at, 0), z.Close())
}

func writeZip(w io.Writer, entries []entry, at time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(fs.FileMode(e.mode))
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.body); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums writes SHA256SUMS of every file but the programs, which are in the archives.
func (r *release) checksums(context.Context) error {
	if err := os.RemoveAll(filepath.Join(r.folder, "programs")); err != nil {
		return err
	}
	var lines []string
	err := filepath.WalkDir(r.folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.folder, path)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(body), filepath.ToSlash(name)))
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(r.path("SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
