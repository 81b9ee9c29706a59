package cli

import (
	"runtime"
	"runtime/debug"
)

// release is set when a release is built: -ldflags "-X …/internal/cli.release=1.2.3".
var release string

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

type versionCmd struct {
	jsonFlag
}

// Run prints the version, and what it runs on.
func (c *versionCmd) Run(w *World) error {
	if c.JSON {
		return w.json(struct {
			Version  string `json:"version"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}{Version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
	}
	return w.say("kinebase %s (%s, %s/%s)", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
