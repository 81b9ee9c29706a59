package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
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
var Settings = slices.Concat(serverSettings, oidcSettings, traceSettings)

var serverSettings = []Setting{
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
		set:      setFolder(func(c *Config) *string { return &c.Data }), get: func(c Config) string { return c.Data },
	},
	{
		Variable: "KINEBASE_DATABASE_URL", Flag: "database-url",
		Meaning:  "A PostgreSQL database, 15 or later, to keep everything in instead of the embedded SQLite: `postgres://USER:PASSWORD@HOST/DATABASE`. The role must be neither a superuser nor one that bypasses row-level security.",
		fallback: constant(""),
		set:      setPostgres(func(c *Config) *URL { return &c.DatabaseURL }), get: func(c Config) string { return c.DatabaseURL.String() },
	},
	{
		Variable: "KINEBASE_MIGRATE_DATABASE_URL",
		Meaning:  "The same database for another role, which owns the tables: `kinebase migrate` works as it and grants the role of `KINEBASE_DATABASE_URL` what serving needs. No other command reads it; see [Two roles](operate.md#two-roles).",
		fallback: constant(""),
		set:      setPostgres(func(c *Config) *URL { return &c.MigrateDatabaseURL }), get: func(c Config) string { return c.MigrateDatabaseURL.String() },
	},
	{
		Variable: "KINEBASE_REDIS_URL",
		Meaning:  "A Redis that several servers keep their rate limits in together: `redis://USER:PASSWORD@HOST:6379/0`, or `rediss://` for TLS. While it is slow or cannot be reached, each server gives its share of the limits. A database of Redis (`/0`) is for the servers of one Kinebase.",
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
		Variable: "KINEBASE_START_WAIT", Default: "1m",
		Meaning:  "How long `serve` waits at its start for a database or a bucket that cannot be reached, such as `2m`: meanwhile it listens, `/readyz` says what is missing, and it tries again every second. Then it ends with an error; `0s` ends at once.",
		fallback: constant("1m"),
		set:      setDelay(func(c *Config) *time.Duration { return &c.StartWait }), get: func(c Config) string { return timeText(c.StartWait) },
	},
	{
		Variable: "KINEBASE_DRAIN_DELAY", Default: "0s",
		Meaning:  "The time between a signal to stop and the end of taking requests, such as `10s`: meanwhile `/readyz` says `stopping` and everything is answered. Choose twice the time in which a load balancer notices; `0s` where there is none.",
		fallback: constant("0s"),
		set:      setDelay(func(c *Config) *time.Duration { return &c.DrainDelay }), get: func(c Config) string { return timeText(c.DrainDelay) },
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
	{
		Variable: "KINEBASE_TLS_CERT",
		Meaning:  "The file of a certificate with those that vouch for it, in PEM, for a server that speaks HTTPS itself. It is read again when it changes, and connections go on meanwhile. It needs `KINEBASE_TLS_KEY`.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.TLSCert }), get: func(c Config) string { return c.TLSCert },
	},
	{
		Variable: "KINEBASE_TLS_KEY",
		Meaning:  "The file of the key of the certificate, in PEM.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.TLSKey }), get: func(c Config) string { return c.TLSKey },
	},
	{
		Variable: "KINEBASE_TRUSTED_PROXIES",
		Meaning:  "The addresses and networks of proxies, separated by commas, such as `10.0.0.0/8,127.0.0.1`: of a request that comes from one, `Forwarded`, or else `X-Forwarded-For`, tells the address of the client, by the last entry that is not a trusted proxy itself. Without it the address of the connection counts.",
		fallback: constant(""),
		set:      setProxies, get: func(c Config) string { return proxiesText(c.TrustedProxies) },
	},
	{
		Variable: "KINEBASE_PUBLIC_URL",
		Meaning:  "Where clients reach the server, such as `https://motion.lab.example.org`, when a proxy stands before it: the addresses that uploads are sent to begin with it. The console takes changes from pages of this address too. Without it they begin with what the client itself called the server.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.PublicURL }), get: func(c Config) string { return c.PublicURL.String() },
	},
	{
		Variable: "KINEBASE_FILES", Default: "the folder files in that of KINEBASE_DATA",
		Meaning:  "The folder that motion files and tables are kept in when there is no bucket. Several servers on one PostgreSQL must share it.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.Files }), get: func(c Config) string { return c.Files },
	},
	{
		Variable: "KINEBASE_S3_ENDPOINT",
		Meaning:  "An S3 service to keep files in instead of a folder: `https://s3.eu-central-1.amazonaws.com`, or `http://HOST:PORT` of one's own. Nothing has to be set up in the bucket.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.S3.Endpoint }), get: func(c Config) string { return c.S3.Endpoint.String() },
	},
	{
		Variable: "KINEBASE_S3_PUBLIC_ENDPOINT",
		Meaning:  "Where clients reach the S3 service, when that is another address than the servers': files are uploaded straight into the bucket.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.S3.PublicEndpoint }), get: func(c Config) string { return c.S3.PublicEndpoint.String() },
	},
	{
		Variable: "KINEBASE_S3_REGION", Default: "us-east-1",
		Meaning:  "The region that requests to the S3 service are signed for.",
		fallback: constant("us-east-1"),
		set:      setText(func(c *Config) *string { return &c.S3.Region }), get: func(c Config) string { return c.S3.Region },
	},
	{
		Variable: "KINEBASE_S3_BUCKET",
		Meaning:  "The bucket, which must be there.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.Bucket }), get: func(c Config) string { return c.S3.Bucket },
	},
	{
		Variable: "KINEBASE_S3_PREFIX",
		Meaning:  "What the names of all objects begin with, such as `kinebase/`, when the bucket is not Kinebase's alone.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.Prefix }), get: func(c Config) string { return c.S3.Prefix },
	},
	{
		Variable: "KINEBASE_S3_ACCESS_KEY_ID",
		Meaning:  "The access key of the S3 service.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.AccessKeyID }), get: func(c Config) string { return c.S3.AccessKeyID },
	},
	{
		Variable: "KINEBASE_S3_SECRET_ACCESS_KEY",
		Meaning:  "The secret that belongs to it. It is never shown.",
		fallback: constant(""),
		set:      func(c *Config, value string, _ Source) error { c.S3.SecretKey = Secret{value}; return nil }, get: func(c Config) string { return c.S3.SecretKey.String() },
	},
	{
		Variable: "KINEBASE_MAX_UPLOAD", Default: "2GiB",
		Meaning:  "The largest file that is taken: a number of bytes, or one with `KiB`, `MiB` or `GiB`.",
		fallback: constant("2GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.MaxUpload }, 1, 1<<40), get: func(c Config) string { return sizeText(c.MaxUpload) },
	},
	{
		Variable: "KINEBASE_FILE_STORAGE",
		Meaning:  "What the files of an organization's captures may take, as they came and with what is made of them: a number of bytes, or one with `MiB`, `GiB` or `TiB`. Reservations, uploads and imports of files that do not fit are refused; see [Room for files](operate.md#room-for-files). Without it there is no bound.",
		fallback: constant(""),
		set:      setFileStorage, get: func(c Config) string { return fileStorageText(c.FileStorage) },
	},
	{
		Variable: "KINEBASE_CHANGES_KEEP", Default: "90d",
		Meaning:  "How long a deletion stays in `GET /changes`, as kind, id and time alone, such as `90d` or `36h`. A program whose cursor is older than a deletion that has left begins again without one. A deletion that a place of backups has not noted yet stays longer; see [Backup](operate.md#backup).",
		fallback: constant("90d"),
		set:      setDays(func(c *Config) *time.Duration { return &c.ChangesKeep }), get: func(c Config) string { return daysText(c.ChangesKeep) },
	},
	{
		Variable: "KINEBASE_EXPORT_STORAGE", Default: "20GiB",
		Meaning:  "What the results of an organization's exports may take: 4 KiB for each capture and athlete in them, and the files that are kept of them, of which the oldest give way. Whoever has no room for one more result is refused.",
		fallback: constant("20GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.ExportStorage }, 1<<20, 1<<50), get: func(c Config) string { return sizeText(c.ExportStorage) },
	},
	{
		Variable: "KINEBASE_AUDIT_KEEP", Default: "400d",
		Meaning:  "How long entries of the audit log are kept, such as `400d`; at least a day. See [Audit](operate.md#audit).",
		fallback: constant("400d"),
		set:      setAuditKeep, get: func(c Config) string { return daysText(c.AuditKeep) },
	},
	{
		Variable: "KINEBASE_AUDIT_READS", Default: "off",
		Meaning:  "`on` has reads of captures, athletes and exports written into the audit log too, one entry for each request: a write for each read.",
		fallback: constant("off"),
		set:      setSwitch(func(c *Config) *bool { return &c.AuditReads }), get: func(c Config) string { return switchText(c.AuditReads) },
	},
	{
		Variable: "KINEBASE_WEBHOOK_PRIVATE", Default: "off",
		Meaning:  "`on` lets webhooks be at addresses that are not public: of the server's own machine, also by `http://`, and of the networks behind it. Whoever may make a webhook can then have the server post to anything there; see [Webhooks](webhooks.md#what-the-server-connects-to).",
		fallback: constant("off"),
		set:      setSwitch(func(c *Config) *bool { return &c.WebhookPrivate }), get: func(c Config) string { return switchText(c.WebhookPrivate) },
	},
	{
		Variable: "KINEBASE_BACKUP", Flag: "backup",
		Meaning:  "Where backups of the store are: a folder, or `s3://BUCKET/PREFIX` at the service of `KINEBASE_S3_ENDPOINT`. With it `serve` makes them by itself and keeps the list of what was erased; see [Backup](operate.md#backup).",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.Backup }), get: func(c Config) string { return c.Backup },
	},
	{
		Variable: "KINEBASE_BACKUP_EVERY", Flag: "every", Default: "1h",
		Meaning:  "How often `serve` makes a backup, such as `10m`. Of several servers on one store, one makes it.",
		fallback: constant("1h"),
		set:      setTime(func(c *Config) *time.Duration { return &c.BackupEvery }), get: func(c Config) string { return timeText(c.BackupEvery) },
	},
	{
		Variable: "KINEBASE_BACKUP_KEEP", Default: "30d",
		Meaning:  "How long backups are kept: older ones are removed when another one is finished, with the files that only they have. So long what was erased is still in a backup.",
		fallback: constant("30d"),
		set:      setDays(func(c *Config) *time.Duration { return &c.BackupKeep }), get: func(c Config) string { return daysText(c.BackupKeep) },
	},
	{
		Variable: "KINEBASE_SEARCH_MEMORY", Default: "192MiB",
		Meaning:  "The memory for the texts by which captures are found and the rows of what is found: about 130 bytes for a capture and three for each letter of its file's name, and 100 for an athlete, of the organizations that were searched last. Where it is short, indexes go first; what finds no room then is read from the database again for each search that was not asked lately. Lists of athletes take as much again at the most: about 130 bytes for an athlete, with what its lists are made from; an organization whose athletes find no room is listed by the database, which takes longer.",
		fallback: constant("192MiB"),
		set:      setSize(func(c *Config) *int64 { return &c.SearchMemory }, 1<<20, 1<<40), get: func(c Config) string { return sizeText(c.SearchMemory) },
	},
	{
		Variable: "KINEBASE_WORKERS", Default: "one for each processor core",
		Meaning:  "How many files this server reads at the same time, in processes of their own. `0` leaves all of them to other servers on the same database.",
		fallback: func(Source) string { return strconv.Itoa(runtime.GOMAXPROCS(0)) },
		set:      setWorkers, get: func(c Config) string { return strconv.Itoa(c.Workers) },
	},
	{
		Variable: "KINEBASE_READ_MEMORY", Default: "1GiB",
		Meaning:  "The memory that reading one file may take. A text file takes up to ten times its size; C3D files take little, however long they are.",
		fallback: constant("1GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.ReadMemory }, 128<<20, 1<<40), get: func(c Config) string { return sizeText(c.ReadMemory) },
	},
	{
		Variable: "KINEBASE_READ_TIME", Default: "10m",
		Meaning:  "The time that reading one file may take, such as `90s` or `10m`.",
		fallback: constant("10m"),
		set:      setTime(func(c *Config) *time.Duration { return &c.ReadTime }), get: func(c Config) string { return timeText(c.ReadTime) },
	},
	{
		Variable: "KINEBASE_VIDEO_PROCESSOR",
		Meaning:  "A command that makes a motion file of a video, such as `/opt/pose/run {input} {output}`; see below. Without it a video is kept as it is, with its frame rate.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.VideoProcessor }), get: func(c Config) string { return c.VideoProcessor },
	},
	{
		Variable: "KINEBASE_VIDEO_MEMORY", Default: "8GiB",
		Meaning:  "The memory that this command may take.",
		fallback: constant("8GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.VideoMemory }, 1<<20, 1<<50), get: func(c Config) string { return sizeText(c.VideoMemory) },
	},
	{
		Variable: "KINEBASE_VIDEO_TIME", Default: "30m",
		Meaning:  "The time that this command may take.",
		fallback: constant("30m"),
		set:      setTime(func(c *Config) *time.Duration { return &c.VideoProcessTime }), get: func(c Config) string { return timeText(c.VideoProcessTime) },
	},
	{
		Variable: "KINEBASE_VIDEO_FOLDERS",
		Meaning:  "The folders and files, separated by `:`, that this command may read and run programs from, besides those of the system: a Python with its packages, models. It reads nothing else of the machine.",
		fallback: constant(""),
		set:      setPaths(func(c *Config) *[]string { return &c.VideoFolders }), get: func(c Config) string { return pathsText(c.VideoFolders) },
	},
	{
		Variable: "KINEBASE_VIDEO_WRITABLE",
		Meaning:  "The folders and devices, separated by `:`, that this command may write to, besides its own folder: those of a graphics card, a cache. Videos of all organizations share them.",
		fallback: constant(""),
		set:      setPaths(func(c *Config) *[]string { return &c.VideoWritable }), get: func(c Config) string { return pathsText(c.VideoWritable) },
	},
	{
		Variable: "KINEBASE_READER_UID", Default: "65534",
		Meaning:  "The number of the account and the group that readers of files and this command run as where the server is root; `0` leaves them root. A server that is not root runs them as itself.",
		fallback: constant("65534"),
		set:      setUID, get: func(c Config) string { return strconv.Itoa(c.ReaderUID) },
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
		return errors.New("must look like postgres://USER:PASSWORD@HOST/DATABASE, or postgres:///DATABASE?host=/run/postgresql for a socket; in a name or password, a character such as @ : / # % or a blank is written %40 %3A %2F %23 %25 %20")
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
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("must hold origins such as https://lab.example.org, without a path, not %q", origin)
		}
	}
	return nil
}
