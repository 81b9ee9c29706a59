// Command release makes what is handed out of a release: the program for each system, packages for
// Debian and Red Hat, an image for containers, a list of what it is built of, and checksums. Two runs
// on one commit make the same bytes, wherever the clone lies.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// platform is a system that the program is built for.
type platform struct{ os, arch string }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

// release is what one run makes.
type release struct {
	source  string    // the clone
	folder  string    // where everything goes
	version string    // 1.2.3, or 0.0.0-N-gHASH of what is no release
	commit  string    // the whole hash
	date    time.Time // of the commit: the time of every file, too
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	set := flag.NewFlagSet("release", flag.ContinueOnError)
	source := set.String("source", ".", "the clone to build from")
	folder := set.String("to", "dist", "the folder to make")
	if err := set.Parse(args); err != nil {
		return err
	}
	r, err := describe(ctx, *source, *folder)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(r.folder), os.MkdirAll(r.folder, 0o755)); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.programs, r.archives, r.packages, r.image, r.chart, r.bill,
		r.checksums} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("kinebase %s is in %s\n", r.version, r.folder)
	return nil
}

// describe asks git what is built.
func describe(ctx context.Context, source, folder string) (*release, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", source}, args...)...).Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w", args[0], err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	changed, err := git("status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		return nil, fmt.Errorf("a release is made of a commit, and these files are in none:\n%s", changed)
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	at, err := git("show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return nil, err
	}
	date, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return nil, err
	}
	name, err := git("describe", "--tags", "--match=v[0-9]*", "--abbrev=12")
	if err != nil { // there is no release before it
		name = "v0.0.0-" + date.UTC().Format("20060102150405") + "-" + commit[:12]
	}
	r := &release{source: source, folder: folder, version: strings.TrimPrefix(name, "v"), commit: commit,
		date: date.UTC()}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(r.version) {
		return nil, fmt.Errorf("the tag %s is no version such as v1.2.3", name)
	}
	return r, nil
}

// path is a file of the release.
func (r *release) path(name string) string { return filepath.Join(r.folder, name) }

// program is where the program of a platform lies until it is packed.
func (r *release) program(p platform) string {
	name := "kinebase"
	if p.os == "windows" {
		name += ".exe"
	}
	return filepath.Join(r.folder, "programs", p.os+"-"+p.arch, name)
}

// programs builds the program for each platform.
func (r *release) programs(ctx context.Context) error {
	const pkg = "github.com/kinebase/kinebase/internal/cli"
	flags := fmt.Sprintf("-s -w -buildid= -X %[1]s.release=%[2]s -X %[1]s.commit=%[3]s -X %[1]s.date=%[4]s", pkg,
		r.version, r.commit, r.date.Format(time.RFC3339))
	for _, p := range platforms {
		to, err := filepath.Abs(r.program(p))
		if err != nil {
			return err
		}
		build := exec.CommandContext(ctx, "go", "build", "-C", r.source, "-trimpath", "-buildvcs=false",
			"-ldflags="+flags, "-o", to, "./cmd/kinebase")
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0",
			"GOFLAGS=", "GOWORK=off")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building for %s/%s: %w", p.os, p.arch, err)
		}
	}
	return nil
}
