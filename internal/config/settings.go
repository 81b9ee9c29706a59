package config

import (
	"slices"
)

// Setting is one thing that can be set.
type Setting struct {
	Variable string // of the environment
	Flag     string // of the command line, without dashes; "" when there is none
	Default  string // in words where it depends on the machine; "" when it is not set
	Meaning  string // one sentence

	fallback func(Source) string // the value when nothing is given
	set      func(c *Config, value string, from Source) error
	get      func(Config) string // as text, without secrets
}

// Settings are all there are, in the order in which they are shown.
var Settings = slices.Concat(serverSettings, keepingSettings, readingSettings, oidcSettings, traceSettings)
