package cli

import (
	"runtime"
	"runtime/debug"
)

// These are set when a release is built: -ldflags "-X …/internal/cli.release=1.2.3".
var release, commit, date string

// Version names this build: the release, or what it was built from.
func Version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// origin is the commit that this build is of, and its time; "" for what is not known.
func origin() (hash, at string) {
	if release != "" {
		return commit, date
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				hash = s.Value
			case "vcs.time":
				at = s.Value
			}
		}
	}
	return hash, at
}

type versionCmd struct {
	jsonFlag
}

// Run prints the version, what it is of, and what it runs on.
func (c *versionCmd) Run(w *World) error {
	hash, at := origin()
	if c.JSON {
		return w.json(struct {
			Version  string `json:"version"`
			Commit   string `json:"commit,omitempty"`
			Date     string `json:"date,omitempty"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}{Version(), hash, at, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
	}
	of := ""
	if hash != "" {
		of = "commit " + hash[:min(12, len(hash))] + " of " + at + ", "
	}
	return w.say("kinebase %s (%s%s, %s/%s)", Version(), of, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
