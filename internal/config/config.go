// Package config knows every setting of a server: its name, its default, its
// meaning and its rule. Nothing else in Kinebase reads the environment.
//
// A flag of the command line counts before a variable of the environment, and
// that before the default. An empty variable is one that is not set.
package config

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Config is everything that a server can be told. Default gives the defaults,
// Load reads it.
type Config struct {
	Listen                string // HOST:PORT; port 0 takes a free one
	Data                  string // the folder of the embedded store; "" when DatabaseURL is set
	DatabaseURL           URL    // a PostgreSQL; not set: the embedded SQLite in Data
	MigrateDatabaseURL    URL    // the same for the role that owns the tables; not set: that of DatabaseURL does
	RedisURL              URL    // where limits are kept for several servers; not set: in memory
	RateLimit             string // of one token: off, RATE or RATE:BURST
	RateLimitOrganization string // of all tokens of an organization: likewise
	LogLevel              slog.Level
	LogFormat             Format
	TLSCert, TLSKey       string         // files of the certificate and its key; "" for both: HTTP without TLS
	TrustedProxies        []netip.Prefix // whose word on where a request came from counts
	CORSOrigins           []string       // origins whose pages may call the interface; ["*"]: all

	StartWait  time.Duration // that a start waits for a database or bucket that is not up yet
	DrainDelay time.Duration // that requests are still taken once a stop has begun

	OIDC   OIDC   // who signs people in
	Traces Traces // where traces are sent

	PublicURL URL    // where clients reach the server; not set: what they themselves call it
	Files     string // the folder that files are kept in when there is no bucket; "" when there is none to be found
	S3        S3     // the bucket that files are kept in
	MaxUpload int64  // bytes of one file

	AuditKeep      time.Duration // that entries of the audit log are kept
	WebhookPrivate bool          // webhooks may be at addresses that are not public
	AuditReads     bool          // what is read about people is written into it too
	AuditStream    string        // where its entries go beside the store: a file or a syslog server; "": nowhere

	Backup      string        // where backups are: a folder or s3://BUCKET/PREFIX; "": none are made
	BackupEvery time.Duration // between two of them
	BackupKeep  time.Duration // that they are kept

	SearchMemory  int64         // bytes of the texts that captures are found by
	ChangesKeep   time.Duration // that a deletion stays in the feed of changes
	FileStorage   int64         // bytes that the files of one organization's captures may take; 0: no bound
	ExportStorage int64         // bytes that the results of one organization may take

	Workers          int           // files that this server reads at the same time; 0: it leaves them to others
	ReadMemory       int64         // bytes that reading one file may take
	ReadTime         time.Duration // that reading one file may take
	VideoProcessor   string        // the command that makes motion of a video; "" for none
	VideoMemory      int64         // bytes that it may take
	VideoProcessTime time.Duration // that it may take
	VideoFolders     []string      // files and folders that it may read and run, besides the system's
	VideoWritable    []string      // folders and devices that it may write to, besides its own folder
	ReaderUID        int           // the account of readers and of this command where the server is root; 0: root
}

// S3 is a bucket and how it is reached.
type S3 struct {
	Endpoint       URL // without one there is no bucket
	PublicEndpoint URL // where clients reach it, when that is elsewhere
	Region         string
	Bucket         string
	Prefix         string // before every name in it
	AccessKeyID    string
	SecretKey      Secret
}

// Format is how log lines are written.
type Format string

// The formats of the log.
const (
	JSON Format = "json"
	Text Format = "text"
)

// Fault is one thing that is wrong with one setting.
type Fault struct {
	Setting string // as it was given: --listen, KINEBASE_LISTEN
	Message string // what is wrong and what would be right, without the setting's name
}

// Faults is every fault of a configuration. As an error it is one line.
type Faults []Fault

// Error lists all faults.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.Setting + " " + one.Message
	}
	return strings.Join(lines, "; ")
}

// Source is where settings come from.
type Source struct {
	// Flags has the values of flags that were given, by the flag's name without
	// dashes ("database-url").
	Flags map[string]string
	// Env looks a variable up, as os.LookupEnv does; nil is an empty environment.
	Env func(string) (string, bool)
	// Rate judges a rate. The limiter, which knows what a rate is, gives it.
	Rate func(string) error
	// AuditStream judges where the audit log goes. What sends it there gives it.
	AuditStream func(string) error
	// Roles judges a map of roles. The sign-in, which knows what a role is, gives it.
	Roles func(string) error
}

// Load reads every setting and reports every fault at once, as Faults.
func Load(from Source) (Config, error) {
	var (
		c      Config
		faults Faults
	)
	for _, s := range Settings {
		name, value, given := from.find(s)
		if !given {
			value = s.fallback(from)
		}
		if given && value == "" {
			// A flag from an empty shell variable must not lead to another store.
			faults = append(faults, Fault{Setting: name, Message: "must not be empty"})
			continue
		}
		if err := s.set(&c, value, from); err != nil {
			faults = append(faults, Fault{Setting: name, Message: err.Error()})
		}
	}
	_, folder := from.Flags["data"]
	_, database := from.Flags["database-url"]
	switch {
	case folder && database:
		faults = append(faults, Fault{"--data", "and --database-url name two stores: choose one"})
	case c.DatabaseURL.Set():
		c.Data = "" // of one store only: it is shown what is used
	case c.Data == "" && !folder && !database:
		faults = append(faults, Fault{"KINEBASE_DATA",
			"is not set, and there is no home folder to keep data in: name a folder"})
	}
	faults = append(faults, c.settleFiles(from)...)
	faults = append(faults, c.settleOIDC()...)
	if len(faults) > 0 {
		return Config{}, faults
	}
	if c.RateLimit == "off" && !from.has("KINEBASE_RATE_LIMIT_ORG") {
		// An operator who turns the limit off wants none, and would wonder about the second.
		c.RateLimitOrganization = c.RateLimit
	}
	return c, nil
}

// find gives a setting's value and the name under which it was given.
func (from Source) find(s Setting) (name, value string, given bool) {
	if v, ok := from.Flags[s.Flag]; ok && s.Flag != "" {
		return "--" + s.Flag, v, true
	}
	if _, folder := from.Flags["data"]; folder && s.Flag == "database-url" {
		// A named folder is meant: what is for a test must never end up in the
		// database that the environment names.
		return s.Variable, "", false
	}
	if from.has(s.Variable) {
		v, _ := from.Env(s.Variable)
		return s.Variable, v, true
	}
	return s.Variable, "", false
}

func (from Source) has(variable string) bool {
	if from.Env == nil {
		return false
	}
	v, ok := from.Env(variable)
	return ok && v != ""
}

// Unknown gives the variables of an environment, as os.Environ lists it, that
// look like settings and are none: a misspelled name would be passed over in
// silence. Those of tests are not meant.
func Unknown(environ []string) []string {
	var names []string
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && strings.HasPrefix(name, "KINEBASE_") && !strings.HasPrefix(name, "KINEBASE_TEST_") &&
			!slices.Contains(elsewhere, name) &&
			!slices.ContainsFunc(Settings, func(s Setting) bool { return s.Variable == name }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// elsewhere are the variables that clients read.
var elsewhere = []string{"KINEBASE_URL", "KINEBASE_TOKEN"}

// Values gives each setting as text, by its variable, without secrets: what a
// server may print about itself.
func (c Config) Values() map[string]string {
	values := make(map[string]string, len(Settings))
	for _, s := range Settings {
		values[s.Variable] = s.get(c)
	}
	return values
}

// LogValue lists the settings without secrets.
func (c Config) LogValue() slog.Value {
	var attrs []slog.Attr
	for _, s := range Settings {
		if v := s.get(c); v != "" {
			attrs = append(attrs, slog.String(s.Variable, v))
		}
	}
	return slog.GroupValue(attrs...)
}

// String lists the settings without secrets, one a line.
func (c Config) String() string {
	var b strings.Builder
	for _, s := range Settings {
		fmt.Fprintf(&b, "%s=%s\n", s.Variable, s.get(c))
	}
	return b.String()
}

func list(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}
