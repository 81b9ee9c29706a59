package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// everything are servers that have all figures between them: on each engine, with a disk and with a bucket.
func everything(t *testing.T) []*lab {
	backup := apptest.With("KINEBASE_BACKUP", t.TempDir())
	rate, redis := apptest.With("KINEBASE_RATE_LIMIT", "10000"),
		apptest.With("KINEBASE_REDIS_URL", testkit.Redis(t).Addr)
	stream := apptest.With("KINEBASE_AUDIT_STREAM", filepath.Join(t.TempDir(), "audit.ndjson"))
	lite := apptest.Start(t, apptest.SQLite, backup, stream)
	return []*lab{{t, lite, lite.Token(lite.Organization())},
		inABucket(t, apptest.PostgreSQL, testkit.S3(t), new(testkit.Timers), rate, redis)}
}

func scrape(a *apptest.App) string { return string(a.Page("/metrics").Want(200).Body) }

func TestFiguresKeepToTheConventionsAndStandInTheReference(t *testing.T) {
	rows := map[string]string{}
	help, kind := regexp.MustCompile(`(?m)^# HELP (kinebase_\w+) (.*)$`),
		regexp.MustCompile(`(?m)^# TYPE (kinebase_\w+) (\w+)$`)
	for _, l := range everything(t) {
		l.await(func() string { id := l.reserve(); l.send(id).Want(204); return id }(), "completed")
		text := scrape(l.App)
		problems, err := promlint.New(bytes.NewBufferString(text)).Lint()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if strings.HasPrefix(p.Metric, "kinebase_") {
				t.Errorf("%s: %s", p.Metric, p.Text)
			}
		}
		helps, kinds := map[string]string{}, map[string]string{}
		for _, m := range help.FindAllStringSubmatch(text, -1) {
			helps[m[1]] = m[2]
		}
		for _, m := range kind.FindAllStringSubmatch(text, -1) {
			kinds[m[1]] = m[2]
		}
		for name, kind := range kinds {
			labels := labelsOf(text, name)
			rows[name] = fmt.Sprintf("| `%s%s` | %s | %s |", name, labels, kind, helps[name])
		}
	}
	var want, shown []string
	for _, row := range rows {
		want = append(want, row)
	}
	slices.Sort(want)
	raw, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "| `kinebase_") {
			shown = append(shown, strings.TrimSpace(line))
		}
	}
	if got, want := strings.Join(shown, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("docs/metrics.md has these rows:\n%s\nbut the servers have:\n%s", got, want)
	}
}

func TestAlertsAndDashboardNameFiguresThatThereAre(t *testing.T) {
	table, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range []string{"alerts.yaml", "dashboard.json"} {
		raw, err := os.ReadFile("../../deploy/prometheus/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`kinebase_\w+`).FindAllString(string(raw), -1) {
			seen++
			plain := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
			if !bytes.Contains(table, []byte("| `"+name+"`")) && !bytes.Contains(table, []byte("| `"+name+"{")) &&
				!regexp.MustCompile("\\| `"+plain+"({[^}]*})?` \\| histogram").Match(table) {
				t.Errorf("%s names %s, which no server has", file, name)
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d names were looked at", seen)
	}
}

// labelsOf are the labels of the samples of a figure, but for those of histograms themselves.
func labelsOf(text, name string) string {
	sample := regexp.MustCompile(`(?m)^` + name + `(?:_count|_sum)?\{([^}]*)\} `).FindStringSubmatch(text)
	if sample == nil {
		return ""
	}
	var names []string
	for _, m := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(sample[1], -1) {
		names = append(names, m[1])
	}
	return "{" + strings.Join(names, ",") + "}"
}

// figure is the value of a sample; "" when it is not there.
func figure(text, sample string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, sample+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func TestWorkIsCounted(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		idle := apptest.Start(t, e, apptest.With("KINEBASE_WORKERS", "0"))
		l := &lab{t, idle, idle.Token(idle.Organization())}
		id := l.reserve()
		l.send(id).Want(204)
		l.Get("/captures", "kb_wrong").Want(401)
		text := scrape(idle)
		for sample, want := range map[string]string{
			`kinebase_queue_waiting_jobs{queue="slow"}`: "1", `kinebase_queue_waiting_jobs{queue="exports"}`: "0",
			`kinebase_queue_retrying_jobs{queue="slow"}`:                 "0",
			`kinebase_file_call_duration_seconds_count{operation="put"}`: "1",
			`kinebase_file_call_errors_total{operation="put"}`:           "0",
			`kinebase_reader_duration_seconds_count{operation="read"}`:   "0", `kinebase_readers_max`: "0",
			`kinebase_authentication_failures_total`:                 "1",
			`kinebase_database_call_errors_total{operation="write"}`: "0",
		} {
			if got := figure(text, sample); got != want {
				t.Errorf("%s is %q, want %s", sample, got, want)
			}
		}
		if figure(text, `kinebase_database_call_duration_seconds_count{operation="write"}`) == "0" {
			t.Error("no write is counted")
		}
		busy := apptest.Start(t, e, apptest.At(idle.Place))
		l.await(id, "completed")
		busy.Until("the job is counted", func() bool {
			return figure(scrape(busy), `kinebase_job_duration_seconds_count{kind="process"}`) == "1"
		})
		text = scrape(busy)
		for _, sample := range []string{`kinebase_reader_duration_seconds_count{operation="read"}`,
			`kinebase_file_call_duration_seconds_count{operation="open"}`} {
			if got := figure(text, sample); got == "" || got == "0" {
				t.Errorf("%s is %q", sample, got)
			}
		}
		for _, sample := range []string{`kinebase_job_errors_total{kind="process"}`,
			`kinebase_reader_errors_total{operation="read"}`, `kinebase_reader_running{operation="read"}`,
			`kinebase_queue_waiting_jobs{queue="slow"}`} {
			if got := figure(text, sample); got != "0" {
				t.Errorf("%s is %q", sample, got)
			}
		}
	})
}
