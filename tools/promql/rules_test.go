// Package promql reads the expressions of deploy/prometheus as Prometheus does.
package promql

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v4"
)

// expressions are those of the alerts and of the dashboard, whose variables are filled in.
func expressions(t *testing.T) (all []string) {
	t.Helper()
	read := func(name string, unmarshal func([]byte, any) error, into any) {
		raw, err := os.ReadFile("../../deploy/prometheus/" + name)
		if err == nil {
			err = unmarshal(raw, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	read("alerts.yaml", func(raw []byte, into any) error { return yaml.Unmarshal(raw, into) }, &rules)
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if r.Alert == "" {
				t.Errorf("%s has no name", r.Expr)
			}
			all = append(all, r.Expr)
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	read("dashboard.json", json.Unmarshal, &dashboard)
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			all = append(all, strings.ReplaceAll(target.Expr, "$__rate_interval", "5m"))
		}
	}
	if len(all) < 40 {
		t.Errorf("there are %d expressions", len(all))
	}
	return all
}

// documented are the figures of docs/metrics.md: the labels of each, and its kind.
func documented(t *testing.T) (labels map[string][]string, kinds map[string]string) {
	t.Helper()
	raw, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	labels, kinds = map[string][]string{}, map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(kinebase_\\w+)(?:\\{([\\w,]+)\\})?` \\| (\\w+) \\|").
		FindAllStringSubmatch(string(raw), -1) {
		labels[m[1]], kinds[m[1]] = strings.Split(m[2], ","), m[3]
	}
	return labels, kinds
}

func TestEveryExpressionIsOneAndNamesFiguresAndLabelsThatThereAre(t *testing.T) {
	labels, kinds := documented(t)
	used := map[string]bool{}
	for _, text := range expressions(t) {
		e, err := parser.NewParser(parser.Options{}).ParseExpr(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
			v, ok := n.(*parser.VectorSelector)
			if !ok || v.Name == "up" || strings.HasPrefix(v.Name, "process_") {
				return nil
			}
			name := v.Name
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				if base, cut := strings.CutSuffix(name, suffix); cut && kinds[base] == "histogram" {
					name = base
				}
			}
			if kinds[name] == "" || kinds[name] == "histogram" && name == v.Name {
				t.Errorf("%s: there is no figure %s", text, v.Name)
			}
			used[name] = true
			for _, m := range v.LabelMatchers {
				if m.Name != "__name__" && m.Name != "instance" && !slices.Contains(labels[name], m.Name) {
					t.Errorf("%s: %s has no label %s", text, name, m.Name)
				}
			}
			return nil
		})
	}
	for name := range kinds {
		if !used[name] && !slices.Contains([]string{"kinebase_build_info",
			"kinebase_backup_erasures_noted_timestamp_seconds", "kinebase_database_role_alone",
			"kinebase_database_call_running",
			"kinebase_file_call_running", "kinebase_job_running", "kinebase_fold_waiting_changes"}, name) {
			t.Errorf("%s is looked at by no alert and on no panel", name)
		}
	}
}
