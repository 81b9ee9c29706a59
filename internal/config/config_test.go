package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/config"
)

// env is an environment of the given variables and nothing else.
func env(pairs ...string) func(string) (string, bool) {
	variables := map[string]string{"HOME": "/home/lab"}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		variables[name] = value
	}
	return func(name string) (string, bool) {
		v, ok := variables[name]
		return v, ok
	}
}

func load(t *testing.T, from config.Source) config.Config {
	t.Helper()
	c, err := config.Load(from)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return c
}

func TestAFlagCountsBeforeAVariableAndThatBeforeTheDefault(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags map[string]string
		env   []string
		want  string
	}{
		{"neither", nil, nil, "127.0.0.1:8080"},
		{"an empty variable", nil, []string{"KINEBASE_LISTEN="}, "127.0.0.1:8080"},
		{"a variable", nil, []string{"KINEBASE_LISTEN=:1"}, ":1"},
		{"both", map[string]string{"listen": ":2"}, []string{"KINEBASE_LISTEN=:1"}, ":2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := load(t, config.Source{Flags: c.flags, Env: env(c.env...)}).Listen; got != c.want {
				t.Errorf("listens on %q, want %q", got, c.want)
			}
		})
	}
}

func TestAFlagThatIsGivenEmptyIsAFault(t *testing.T) {
	_, err := config.Load(config.Source{Flags: map[string]string{"data": ""}, Env: env("KINEBASE_DATA=real")})
	if err == nil || err.Error() != "--data must not be empty" {
		t.Errorf("error %v, want --data must not be empty", err)
	}
}

func TestAFolderThatAFlagNamesCountsBeforeTheDatabaseOfTheEnvironment(t *testing.T) {
	const url = "postgres://u@db/x"
	for _, c := range []struct {
		flags          map[string]string
		env            []string
		data, database string
	}{
		{map[string]string{"data": "test"}, []string{"KINEBASE_DATABASE_URL=" + url}, "test", ""},
		{map[string]string{"data": "test"}, []string{"KINEBASE_DATABASE_URL=rubbish"}, "test", ""},
		{map[string]string{"database-url": url}, []string{"KINEBASE_DATA=real"}, "", url},
		{nil, []string{"KINEBASE_DATA=real", "KINEBASE_DATABASE_URL=" + url}, "", url},
	} {
		got := load(t, config.Source{Flags: c.flags, Env: env(c.env...)})
		if got.Data != c.data || got.DatabaseURL.Reveal() != c.database {
			t.Errorf("with %v and %v the store is %q or %q, want %q or %q", c.flags, c.env, got.Data, got.DatabaseURL,
				c.data, c.database)
		}
	}
	_, err := config.Load(config.Source{Flags: map[string]string{"data": "test", "database-url": url}, Env: env()})
	if err == nil || err.Error() != "--data and --database-url name two stores: choose one" {
		t.Errorf("error %v, want one that says to choose", err)
	}
}

func TestVariablesThatAreNoSettingsAreFound(t *testing.T) {
	got := config.Unknown([]string{"KINEBASE_DATABSE_URL=x", "KINEBASE_LISTEN=:1", "KINEBASE_TOKEN=kb_",
		"KINEBASE_URL=u", "KINEBASE_TEST_SEED=1", "HOME=/", "KINEBASE_EMPTY=", "KINEBASE_DB=a=b"})
	if want := []string{"KINEBASE_DATABSE_URL", "KINEBASE_DB"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestTheDataFolderIsTheSameWhereverACommandIsStarted(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"XDG_DATA_HOME=/data", "/data/kinebase"},
		{"XDG_DATA_HOME=relative", "/home/lab/.local/share/kinebase"},
		{"XDG_DATA_HOME=", "/home/lab/.local/share/kinebase"},
		{"KINEBASE_DATA=here", "here"},
	} {
		if got := load(t, config.Source{Env: env(c.env)}).Data; got != c.want {
			t.Errorf("with %s the data is in %q, want %q", c.env, got, c.want)
		}
	}
}

func TestWithoutAHomeAFolderMustBeNamedUnlessADatabaseIs(t *testing.T) {
	_, err := config.Load(config.Source{Env: env("HOME=")})
	if err == nil || !strings.Contains(err.Error(), "KINEBASE_DATA") {
		t.Errorf("no home: %v, want an error that names KINEBASE_DATA", err)
	}
	load(t, config.Source{Env: env("HOME=", "KINEBASE_DATABASE_URL=postgres://host/db")})
}

func TestEveryFaultIsReportedAtOnceUnderTheNameItWasGivenBy(t *testing.T) {
	_, err := config.Load(config.Source{
		Flags: map[string]string{"listen": "nowhere", "database-url": "mysql://x"},
		Env: env("KINEBASE_REDIS_URL=http://x", "KINEBASE_RATE_LIMIT=fast", "KINEBASE_RATE_LIMIT_ORG=faster",
			"KINEBASE_LOG_LEVEL=loud", "KINEBASE_LOG_FORMAT=xml",
			"KINEBASE_CORS_ORIGINS=https://a.example,b.example/path"),
		Rate: func(s string) error { return fmt.Errorf("%q is not a rate", s) },
	})
	var faults config.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("the error is %v, want Faults", err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Setting)
	}
	want := "--listen --database-url KINEBASE_REDIS_URL KINEBASE_RATE_LIMIT KINEBASE_RATE_LIMIT_ORG " +
		"KINEBASE_LOG_LEVEL KINEBASE_LOG_FORMAT KINEBASE_CORS_ORIGINS"
	if strings.Join(got, " ") != want {
		t.Errorf("faults of\n%s\nwant\n%s", strings.Join(got, " "), want)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error takes more than a line:\n%v", err)
	}
}

func TestValuesAreJudged(t *testing.T) {
	for _, c := range []struct {
		setting string
		good    bool
	}{
		{"KINEBASE_LISTEN=[::1]:0", true},
		{"KINEBASE_LISTEN=localhost", false},
		{"KINEBASE_LISTEN=localhost:http", false},
		{"KINEBASE_LISTEN=localhost:65536", false},
		{"KINEBASE_DATABASE_URL=postgresql://u@/db?host=/run", true},
		{"KINEBASE_DATABASE_URL=host=x dbname=y", false},
		{"KINEBASE_REDIS_URL=rediss://:secret@host:6380/1", true},
		{"KINEBASE_REDIS_URL=host:6379", false},
		{"KINEBASE_LOG_LEVEL=WARN", true},
		{"KINEBASE_LOG_LEVEL=warn+1", false},
		{"KINEBASE_LOG_FORMAT=text", true},
		{"KINEBASE_CORS_ORIGINS=*", true},
		{"KINEBASE_TRUSTED_PROXIES=10.0.0.0/8, 127.0.0.1,::1", true},
		{"KINEBASE_TRUSTED_PROXIES=proxy.example.org", false},
		{"KINEBASE_TRUSTED_PROXIES=10.0.0.0/33", false},
		{"KINEBASE_CORS_ORIGINS=https://a.example, http://localhost:5173", true},
		{"KINEBASE_CORS_ORIGINS=*,https://a.example", false},
		{"KINEBASE_CORS_ORIGINS=https://a.example/", false},
		{"KINEBASE_CORS_ORIGINS=a.example", false},
	} {
		if _, err := config.Load(config.Source{Env: env(c.setting)}); (err == nil) != c.good {
			t.Errorf("%s: error %v, want taken: %v", c.setting, err, c.good)
		}
	}
}

func TestOffTurnsTheLimitOfOrganizationsOffTooUnlessItIsSet(t *testing.T) {
	if c := load(t, config.Source{Env: env("KINEBASE_RATE_LIMIT=off")}); c.RateLimitOrganization != "off" {
		t.Errorf("organizations are limited to %s, want off", c.RateLimitOrganization)
	}
	if c := load(t, config.Source{Env: env("KINEBASE_RATE_LIMIT=off", "KINEBASE_RATE_LIMIT_ORG=7")}); c.
		RateLimitOrganization != "7" {
		t.Errorf("organizations are limited to %s, want what was set: 7", c.RateLimitOrganization)
	}
	if c := load(t, config.Source{Env: env("KINEBASE_RATE_LIMIT=7")}); c.RateLimitOrganization != "2000:4000" {
		t.Errorf("organizations are limited to %s, want the default", c.RateLimitOrganization)
	}
}

func TestNothingThatIsPrintedHoldsAPassword(t *testing.T) {
	const secret = "hunter2"
	c := load(t, config.Source{Env: env(
		"KINEBASE_DATABASE_URL=postgres://kine:"+secret+"@db/kine?sslpassword="+secret+"&password="+secret,
		"KINEBASE_REDIS_URL=redis://:"+secret+"@cache:6379/0")})
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("starting", "config", c, "database", c.DatabaseURL)
	marshalled, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for how, text := range map[string]string{
		"String": c.String(), "%v": fmt.Sprintf("%v", c), "%+v": fmt.Sprintf("%+v", c), "%#v": fmt.Sprintf("%#v", c),
		"%s": fmt.Sprintf("%s", c.RedisURL), "%q": fmt.Sprintf("%q", c.DatabaseURL), "Values": fmt.Sprint(c.Values()),
		"log": logged.String(), "JSON": string(marshalled),
	} {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows the password: %s", how, text)
		}
		if !strings.Contains(text, "xxxxx") && how != "JSON" {
			t.Errorf("%s does not say that something is hidden: %s", how, text)
		}
	}
	if got := c.DatabaseURL.Reveal(); !strings.Contains(got, "kine:"+secret+"@db") {
		t.Errorf("who connects gets %s, without the password", got)
	}
}

func TestAFaultyAddressIsNotRepeated(t *testing.T) {
	for _, setting := range []string{
		"KINEBASE_DATABASE_URL=postgres://kine:hunter2@db:port/x",
		"KINEBASE_DATABASE_URL=host=db password=hunter2",
		"KINEBASE_REDIS_URL=redis://:hunter2%zz@cache",
	} {
		_, err := config.Load(config.Source{Env: env(setting)})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v, want one without the password", setting, err)
		}
	}
	if got := config.NewURL("host=db password=hunter2").String(); strings.Contains(got, "hunter2") {
		t.Errorf("an address that cannot be taken apart is shown: %s", got)
	}
}

func TestFilesLieInTheDataFolderUnlessThereIsABucketOrAFolderOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"KINEBASE_DATA=/srv/lab"}, "/srv/lab/files"},
		{[]string{"KINEBASE_DATABASE_URL=postgres://u@h/d"}, "/home/lab/.local/share/kinebase/files"},
		{[]string{"KINEBASE_FILES=/mnt/motion", "KINEBASE_DATA=/srv/lab"}, "/mnt/motion"},
		{[]string{"KINEBASE_S3_ENDPOINT=https://s3.example.org", "KINEBASE_S3_BUCKET=b", "KINEBASE_S3_ACCESS_KEY_ID=k",
			"KINEBASE_S3_SECRET_ACCESS_KEY=s"}, ""},
	} {
		if got := load(t, config.Source{Env: env(c.env...)}).Files; got != c.want {
			t.Errorf("with %q files lie in %q, want %q", c.env, got, c.want)
		}
	}
}

func TestABucketNeedsAllOfItsSettings(t *testing.T) {
	_, err := config.Load(config.Source{Env: env("KINEBASE_S3_ENDPOINT=https://s3.example.org")})
	for _, want := range []string{"KINEBASE_S3_BUCKET", "KINEBASE_S3_ACCESS_KEY_ID", "KINEBASE_S3_SECRET_ACCESS_KEY"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
	if _, err := config.Load(config.Source{Env: env("KINEBASE_S3_BUCKET=b")}); err == nil ||
		!strings.Contains(err.Error(), "KINEBASE_S3_ENDPOINT must be set") {
		t.Errorf("a bucket without a service: %v", err)
	}
}

func TestPathsOfTheVideoProcessorAndItsAccountAreReadAndShown(t *testing.T) {
	c := load(t, config.Source{Env: env("KINEBASE_VIDEO_FOLDERS=/opt/pose/:/opt/models",
		"KINEBASE_VIDEO_WRITABLE=/dev/nvidia0", "KINEBASE_READER_UID=977")})
	if want := []string{"/opt/pose", "/opt/models"}; !slices.Equal(c.VideoFolders, want) ||
		!slices.Equal(c.VideoWritable, []string{"/dev/nvidia0"}) || c.ReaderUID != 977 {
		t.Errorf("got %q, %q, %d", c.VideoFolders, c.VideoWritable, c.ReaderUID)
	}
	if v := c.Values(); v["KINEBASE_VIDEO_FOLDERS"] != "/opt/pose:/opt/models" || v["KINEBASE_READER_UID"] != "977" {
		t.Errorf("shown as %q and %q", v["KINEBASE_VIDEO_FOLDERS"], v["KINEBASE_READER_UID"])
	}
	for _, wrong := range []string{"KINEBASE_VIDEO_FOLDERS=pose", "KINEBASE_VIDEO_FOLDERS=/opt/pose:",
		"KINEBASE_VIDEO_WRITABLE=../x", "KINEBASE_READER_UID=nobody", "KINEBASE_READER_UID=-1",
		"KINEBASE_READER_UID=4294967295"} {
		name, _, _ := strings.Cut(wrong, "=")
		if _, err := config.Load(config.Source{Env: env(wrong)}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestSizesAndTimesAreReadAndShownAsPeopleWriteThem(t *testing.T) {
	c := load(t, config.Source{Env: env("KINEBASE_MAX_UPLOAD=512MiB", "KINEBASE_READ_TIME=1h30m",
		"KINEBASE_WORKERS=0")})
	if c.MaxUpload != 512<<20 || c.ReadTime != 90*time.Minute || c.Workers != 0 {
		t.Errorf("got %d, %s, %d", c.MaxUpload, c.ReadTime, c.Workers)
	}
	if v := c.Values(); v["KINEBASE_MAX_UPLOAD"] != "512MiB" || v["KINEBASE_READ_TIME"] != "1h30m" {
		t.Errorf("shown as %q and %q", v["KINEBASE_MAX_UPLOAD"], v["KINEBASE_READ_TIME"])
	}
	for _, wrong := range []string{"KINEBASE_MAX_UPLOAD=2GB", "KINEBASE_MAX_UPLOAD=-1",
		"KINEBASE_MAX_UPLOAD=9999999TiB", "KINEBASE_READ_MEMORY=1MiB", "KINEBASE_READ_TIME=10",
		"KINEBASE_READ_TIME=1ms", "KINEBASE_START_WAIT=-1s", "KINEBASE_START_WAIT=1h", "KINEBASE_DRAIN_DELAY=-1s",
		"KINEBASE_DRAIN_DELAY=11m", "KINEBASE_DRAIN_DELAY=10", "KINEBASE_WORKERS=-1",
		"KINEBASE_PUBLIC_URL=lab.example.org", "KINEBASE_S3_ENDPOINT=http://h/"} {
		if _, err := config.Load(config.Source{Env: env(wrong)}); err == nil ||
			!strings.Contains(err.Error(), wrong[:strings.IndexByte(wrong, '=')]) {
			t.Errorf("%q is taken, or its error (%v) does not name the setting", wrong, err)
		}
	}
}
