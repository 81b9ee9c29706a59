package config

import (
	"strings"
	"time"
)

// serverSettings say where the server listens, which neighbours it has, and how it starts, stops and logs.
var serverSettings = []Setting{
	{
		Variable: "KINEBASE_LISTEN", Flag: "listen", Default: "127.0.0.1:8080",
		Meaning: "The address and port that `kinebase serve` listens on; `:8080` is every address of the machine, " +
			"port `0` a free port.",
		fallback: constant("127.0.0.1:8080"),
		set:      setListen, get: func(c Config) string { return c.Listen },
	},
	{
		Variable: "KINEBASE_DATA", Flag: "data", Default: "$XDG_DATA_HOME/kinebase, or ~/.local/share/kinebase",
		Meaning: "The folder of the embedded store. It is made when it is missing, and every command that names the " +
			"same folder works on the same store. As a flag it counts before a database that the environment names.",
		fallback: dataFolder,
		set:      setFolder(func(c *Config) *string { return &c.Data }), get: func(c Config) string { return c.Data },
	},
	{
		Variable: "KINEBASE_DATABASE_URL", Flag: "database-url",
		Meaning: "A PostgreSQL database, 15 or later, to keep everything in instead of the embedded SQLite: " +
			"`postgres://USER:PASSWORD@HOST/DATABASE`. The role must be neither a superuser nor one that bypasses " +
			"row-level security.",
		fallback: constant(""),
		set:      setPostgres(func(c *Config) *URL { return &c.DatabaseURL }),
		get:      func(c Config) string { return c.DatabaseURL.String() },
	},
	{
		Variable: "KINEBASE_MIGRATE_DATABASE_URL",
		Meaning: "The same database for another role, which owns the tables: `kinebase migrate` works as it and " +
			"grants the role of `KINEBASE_DATABASE_URL` what serving needs. No other command reads it; see [Two " +
			"roles](operate.md#two-roles).",
		fallback: constant(""),
		set:      setPostgres(func(c *Config) *URL { return &c.MigrateDatabaseURL }),
		get:      func(c Config) string { return c.MigrateDatabaseURL.String() },
	},
	{
		Variable: "KINEBASE_REDIS_URL",
		Meaning: "A Redis that several servers keep their rate limits in together: " +
			"`redis://USER:PASSWORD@HOST:6379/0`, or `rediss://` for TLS. While it is slow or cannot be reached, " +
			"each server gives its share of the limits. A database of Redis (`/0`) is for the servers of one Kinebase.",
		fallback: constant(""),
		set:      setRedis, get: func(c Config) string { return c.RedisURL.String() },
	},
	{
		Variable: "KINEBASE_RATE_LIMIT", Default: "500:1000",
		Meaning: "What one token may ask: `RATE` requests per second and, after a colon, how many may come at once " +
			"(twice the rate when it is not given), or `off`. `off` also turns the limits by organization and of " +
			"failed authentication off, the former unless it is set itself.",
		fallback: constant("500:1000"),
		set:      setRate(func(c *Config) *string { return &c.RateLimit }),
		get:      func(c Config) string { return c.RateLimit },
	},
	{
		Variable: "KINEBASE_RATE_LIMIT_ORG", Default: "2000:4000",
		Meaning:  "What all tokens of one organization may ask together, in the same form.",
		fallback: constant("2000:4000"),
		set:      setRate(func(c *Config) *string { return &c.RateLimitOrganization }),
		get:      func(c Config) string { return c.RateLimitOrganization },
	},
	{
		Variable: "KINEBASE_START_WAIT", Default: "1m",
		Meaning: "How long `serve` waits at its start for a database or a bucket that cannot be reached, such as " +
			"`2m`: meanwhile it listens, `/readyz` says what is missing, and it tries again every second. Then it " +
			"ends with an error; `0s` ends at once.",
		fallback: constant("1m"),
		set:      setDelay(func(c *Config) *time.Duration { return &c.StartWait }),
		get:      func(c Config) string { return timeText(c.StartWait) },
	},
	{
		Variable: "KINEBASE_DRAIN_DELAY", Default: "0s",
		Meaning: "The time between a signal to stop and the end of taking requests, such as `10s`: meanwhile " +
			"`/readyz` says `stopping` and everything is answered. Choose twice the time in which a load balancer " +
			"notices; `0s` where there is none.",
		fallback: constant("0s"),
		set:      setDelay(func(c *Config) *time.Duration { return &c.DrainDelay }),
		get:      func(c Config) string { return timeText(c.DrainDelay) },
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
		Meaning: "The origins whose web pages may call the interface, separated by commas, such as " +
			"`https://lab.example.org`; `*` is every origin. Without it no CORS header is sent.",
		fallback: constant(""),
		set:      setOrigins, get: func(c Config) string { return strings.Join(c.CORSOrigins, ",") },
	},
	{
		Variable: "KINEBASE_TLS_CERT",
		Meaning: "The file of a certificate with those that vouch for it, in PEM, for a server that speaks HTTPS " +
			"itself. It is read again when it changes, and connections go on meanwhile. It needs `KINEBASE_TLS_KEY`.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.TLSCert }),
		get:      func(c Config) string { return c.TLSCert },
	},
	{
		Variable: "KINEBASE_TLS_KEY",
		Meaning:  "The file of the key of the certificate, in PEM.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.TLSKey }),
		get:      func(c Config) string { return c.TLSKey },
	},
	{
		Variable: "KINEBASE_TRUSTED_PROXIES",
		Meaning: "The addresses and networks of proxies, separated by commas, such as `10.0.0.0/8,127.0.0.1`: of a " +
			"request that comes from one, `Forwarded`, or else `X-Forwarded-For`, tells the address of the client, " +
			"by the last entry that is not a trusted proxy itself. Without it the address of the connection counts.",
		fallback: constant(""),
		set:      setProxies, get: func(c Config) string { return proxiesText(c.TrustedProxies) },
	},
	{
		Variable: "KINEBASE_PUBLIC_URL",
		Meaning: "Where clients reach the server, such as `https://motion.lab.example.org`, when a proxy stands " +
			"before it: the addresses that uploads are sent to begin with it. The console takes changes from pages " +
			"of this address too. Without it they begin with what the client itself called the server.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.PublicURL }),
		get:      func(c Config) string { return c.PublicURL.String() },
	},
}
