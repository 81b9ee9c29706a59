package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
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
var Settings = []Setting{
	{
		Variable: "KINEBASE_LISTEN", Flag: "listen", Default: "127.0.0.1:8080",
		Meaning:  "The address and port that `kinebase serve` listens on; `:8080` is every address of the machine, port `0` a free port.",
		fallback: constant("127.0.0.1:8080"),
		set:      setListen, get: func(c Config) string { return c.Listen },
	},
	{
		Variable: "KINEBASE_DATA", Flag: "data", Default: "$XDG_DATA_HOME/kinebase, or ~/.local/share/kinebase",
		Meaning:  "The folder of the embedded store. It is made when it is missing, and every command that names the same folder works on the same store. As a flag it counts before a database that the environment names.",
		fallback: dataFolder,
		set:      setData, get: func(c Config) string { return c.Data },
	},
	{
		Variable: "KINEBASE_DATABASE_URL", Flag: "database-url",
		Meaning:  "A PostgreSQL database, 15 or later, to keep everything in instead of the embedded SQLite: `postgres://USER:PASSWORD@HOST/DATABASE`. The role must be neither a superuser nor one that bypasses row-level security.",
		fallback: constant(""),
		set:      setDatabase, get: func(c Config) string { return c.DatabaseURL.String() },
	},
	{
		Variable: "KINEBASE_REDIS_URL",
		Meaning:  "A Redis that several servers keep their rate limits in together: `redis://USER:PASSWORD@HOST:6379/0`, or `rediss://` for TLS. While it cannot be reached, each server limits by itself.",
		fallback: constant(""),
		set:      setRedis, get: func(c Config) string { return c.RedisURL.String() },
	},
	{
		Variable: "KINEBASE_RATE_LIMIT", Default: "500:1000",
		Meaning:  "What one token may ask: `RATE` requests per second and, after a colon, how many may come at once (twice the rate when it is not given), or `off`. `off` also turns the limits by organization and of failed authentication off, the former unless it is set itself.",
		fallback: constant("500:1000"),
		set:      setRate(func(c *Config) *string { return &c.RateLimit }), get: func(c Config) string { return c.RateLimit },
	},
	{
		Variable: "KINEBASE_RATE_LIMIT_ORG", Default: "2000:4000",
		Meaning:  "What all tokens of one organization may ask together, in the same form.",
		fallback: constant("2000:4000"),
		set:      setRate(func(c *Config) *string { return &c.RateLimitOrganization }), get: func(c Config) string { return c.RateLimitOrganization },
	},
	{
		Variable: "KINEBASE_LOG_LEVEL", Default: "info",
		Meaning:  "The least important lines that are logged: `debug`, `info`, `warn` or `error`.",
		fallback: constant("info"),
		set:      setLevel, get: func(c Config) string { return strings.ToLower(c.LogLevel.String()) },
	},
	{
		Variable: "KINEBASE_LOG_FORMAT", Default: "json",
		Meaning:  "How log lines are written: `json`, one object a line, or `text`.",
		fallback: constant("json"),
		set:      setFormat, get: func(c Config) string { return string(c.LogFormat) },
	},
	{
		Variable: "KINEBASE_CORS_ORIGINS",
		Meaning:  "The origins whose web pages may call the interface, separated by commas, such as `https://lab.example.org`; `*` is every origin. Without it no CORS header is sent.",
		fallback: constant(""),
		set:      setOrigins, get: func(c Config) string { return strings.Join(c.CORSOrigins, ",") },
	},
}

func constant(value string) func(Source) string { return func(Source) string { return value } }

// dataFolder follows the XDG base directory specification, so that the server
// and the tools meet in one store, wherever each of them is started.
func dataFolder(from Source) string {
	if from.has("XDG_DATA_HOME") {
		if base, _ := from.Env("XDG_DATA_HOME"); filepath.IsAbs(base) { // the specification: a relative one is ignored
			return filepath.Join(base, "kinebase")
		}
	}
	if from.has("HOME") {
		home, _ := from.Env("HOME")
		return filepath.Join(home, ".local", "share", "kinebase")
	}
	return ""
}

func setListen(c *Config, value string, _ Source) error {
	_, port, err := net.SplitHostPort(value)
	if err != nil {
		return fmt.Errorf("must be an address and a port such as 127.0.0.1:8080, not %q", value)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("must have a port of 0 to 65535, not %q", port)
	}
	c.Listen = value
	return nil
}

func setData(c *Config, value string, _ Source) error {
	if strings.ContainsRune(value, 0) {
		return errors.New("must be the path of a folder")
	}
	c.Data = value
	return nil
}

func setDatabase(c *Config, value string, _ Source) error {
	c.DatabaseURL = URL{value}
	if value == "" {
		return nil
	}
	// What url.Parse complains of holds the password: it is not passed on.
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New("must look like postgres://USER:PASSWORD@HOST/DATABASE, or postgres:///DATABASE?host=/run/postgresql for a socket; in a name or password, a character such as @ : / # % or a blank is written %40 %3A %2F %23 %25 %20")
	}
	return nil
}

func setRedis(c *Config, value string, _ Source) error {
	c.RedisURL = URL{value}
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" && u.Scheme != "unix" {
		return errors.New("must look like redis://USER:PASSWORD@HOST:6379/0, rediss://… or unix:///PATH")
	}
	return nil
}

func setRate(field func(*Config) *string) func(*Config, string, Source) error {
	return func(c *Config, value string, from Source) error {
		*field(c) = value
		if from.Rate == nil {
			return nil
		}
		if err := from.Rate(value); err != nil {
			return fmt.Errorf("is wrong: %w", err)
		}
		return nil
	}
}

func setLevel(c *Config, value string, _ Source) error {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.EqualFold(value, level.String()) {
			c.LogLevel = level
			return nil
		}
	}
	return fmt.Errorf("must be one of debug, info, warn, error, not %q", value)
}

func setFormat(c *Config, value string, _ Source) error {
	switch f := Format(strings.ToLower(value)); f {
	case JSON, Text:
		c.LogFormat = f
		return nil
	}
	return fmt.Errorf("must be json or text, not %q", value)
}

func setOrigins(c *Config, value string, _ Source) error {
	c.CORSOrigins = list(value)
	for _, origin := range c.CORSOrigins {
		if origin == "*" {
			if len(c.CORSOrigins) > 1 {
				return errors.New("must be either * or a list of origins, not both")
			}
			continue
		}
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("must hold origins such as https://lab.example.org, without a path, not %q", origin)
		}
	}
	return nil
}
