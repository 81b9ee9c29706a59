package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// settleFiles finds the folder of files when none is named, and holds the settings
// of a bucket against each other.
func (c *Config) settleFiles(from Source) (faults Faults) {
	s := c.S3
	if s.Endpoint.Set() {
		for _, needed := range []struct {
			variable string
			set      bool
		}{
			{"KINEBASE_S3_BUCKET", s.Bucket != ""},
			{"KINEBASE_S3_ACCESS_KEY_ID", s.AccessKeyID != ""},
			{"KINEBASE_S3_SECRET_ACCESS_KEY", s.SecretKey.Set()},
		} {
			if !needed.set {
				faults = append(faults, Fault{needed.variable, "must be set beside KINEBASE_S3_ENDPOINT"})
			}
		}
	} else if s.Bucket != "" || s.PublicEndpoint.Set() {
		faults = append(faults, Fault{"KINEBASE_S3_ENDPOINT", "must be set beside the other KINEBASE_S3 settings"})
	}
	if c.Files == "" && !s.Endpoint.Set() {
		base := c.Data
		if base == "" {
			base = dataFolder(from)
		}
		if base != "" { // who needs the folder says that there is none
			c.Files = filepath.Join(base, "files")
		}
	}
	return faults
}

func setText(field func(*Config) *string) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = value
		return nil
	}
}

func setAddress(field func(*Config) *URL) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = URL{value}
		if value == "" {
			return nil
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
			u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/") {
			return errors.New("must look like https://HOST or http://HOST:PORT, without a slash at its end")
		}
		return nil
	}
}

func setWorkers(c *Config, value string, _ Source) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 1024 {
		return fmt.Errorf("must be a number of 0 to 1024, not %q", value)
	}
	c.Workers = n
	return nil
}

func setUID(c *Config, value string, _ Source) error {
	n, err := strconv.ParseUint(value, 10, 31)
	if err != nil {
		return fmt.Errorf("must be the number of an account, such as 65534, not %q", value)
	}
	c.ReaderUID = int(n)
	return nil
}

func setPaths(field func(*Config) *[]string) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = nil
		for _, path := range filepath.SplitList(value) {
			if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
				return fmt.Errorf("must be paths from the root, separated by %c, not %q", filepath.ListSeparator, path)
			}
			*field(c) = append(*field(c), filepath.Clean(path))
		}
		return nil
	}
}

// pathsText writes a list of paths as it is read.
func pathsText(paths []string) string { return strings.Join(paths, string(filepath.ListSeparator)) }

func setTime(field func(*Config) *time.Duration) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		d, err := time.ParseDuration(value)
		if err != nil || d < time.Second || d > 7*24*time.Hour {
			return fmt.Errorf("must be a time of at least a second, such as 90s, 10m or 2h, not %q", value)
		}
		*field(c) = d
		return nil
	}
}

// longestDelay is more than any load balancer needs.
const longestDelay = 10 * time.Minute

// setDelay sets a time that may be none.
func setDelay(field func(*Config) *time.Duration) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 || d > longestDelay {
			return fmt.Errorf("must be a time between 0s and 10m, such as 10s, not %q", value)
		}
		*field(c) = d
		return nil
	}
}

// setDays sets a time of an hour to ten years, which may be in days.
func setDays(field func(*Config) *time.Duration) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		d, err := time.ParseDuration(value)
		if days, ok := strings.CutSuffix(value, "d"); ok {
			var n uint64
			n, err = strconv.ParseUint(days, 10, 16)
			d = time.Duration(n) * 24 * time.Hour
		}
		if err != nil || d < time.Hour || d > 3653*24*time.Hour {
			return fmt.Errorf("must be a time from 1h to 3653d, such as 90d or 36h, not %q", value)
		}
		*field(c) = d
		return nil
	}
}

// daysText writes a time in days where it is whole days.
func daysText(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return strconv.FormatInt(int64(d/(24*time.Hour)), 10) + "d"
	}
	return timeText(d)
}

// timeText writes a time as people do: 10m and not 10m0s.
func timeText(d time.Duration) string {
	text := d.String()
	for _, zero := range []struct{ tail, after string }{{"m0s", "m"}, {"h0m", "h"}} {
		if cut, ok := strings.CutSuffix(text, zero.tail); ok {
			text = cut + zero.after
		}
	}
	return text
}

// units of sizes, the largest first.
var units = []struct {
	name  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func setSize(field func(*Config) *int64, least, most int64) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		number, unit := value, int64(1)
		for _, u := range units {
			if cut, ok := strings.CutSuffix(value, u.name); ok {
				number, unit = strings.TrimSpace(cut), u.bytes
			}
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || n > most/unit || n*unit < least {
			return fmt.Errorf("must be a size from %s to %s, such as 500MiB or 2GiB, not %q", sizeText(least),
				sizeText(most), value)
		}
		*field(c) = n * unit
		return nil
	}
}

// setFileStorage reads the bound of an organization's files; "" is none.
func setFileStorage(c *Config, value string, from Source) error {
	c.FileStorage = 0
	if value == "" {
		return nil
	}
	return setSize(func(c *Config) *int64 { return &c.FileStorage }, 1, 1<<60)(c, value, from)
}

func fileStorageText(n int64) string {
	if n == 0 {
		return ""
	}
	return sizeText(n)
}

// sizeText writes a size in its largest whole unit.
func sizeText(n int64) string {
	for _, u := range units {
		if n > 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// setAuditKeep sets the time that entries of the audit log are kept: a day at the least, which is what the database
// lets the role forget that serves.
func setAuditKeep(c *Config, value string, from Source) error {
	if err := setDays(func(c *Config) *time.Duration { return &c.AuditKeep })(c, value, from); err != nil {
		return err
	}
	if c.AuditKeep < 24*time.Hour {
		return fmt.Errorf("must be a day or more, not %q", value)
	}
	return nil
}

func setAuditStream(c *Config, value string, from Source) error {
	c.AuditStream = value
	if value == "" || from.AuditStream == nil {
		return nil
	}
	return from.AuditStream(value)
}

func setSwitch(field func(*Config) *bool) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		if value != "on" && value != "off" {
			return fmt.Errorf("must be on or off, not %q", value)
		}
		*field(c) = value == "on"
		return nil
	}
}

func switchText(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
