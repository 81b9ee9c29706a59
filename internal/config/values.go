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

func setFolder(field func(*Config) *string) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		if strings.ContainsRune(value, 0) {
			return errors.New("must be the path of a folder")
		}
		*field(c) = value
		return nil
	}
}

func setPostgres(field func(*Config) *URL) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = URL{value}
		if value == "" {
			return nil
		}
		// The error of url.Parse contains the password, so it is not passed on.
		u, err := url.Parse(value)
		if err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") {
			return nil
		}
		return errors.New("must look like postgres://USER:PASSWORD@HOST/DATABASE, or " +
			"postgres:///DATABASE?host=/run/postgresql for a socket; in a name or password, a character such as @ : " +
			"/ # % or a blank is written %40 %3A %2F %23 %25 %20")
	}
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
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
			u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("must hold origins such as https://lab.example.org, without a path, not %q", origin)
		}
	}
	return nil
}
