package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/mcp"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// assistant is a client of the protocol's own library, over a server of an organization.
type assistant struct {
	t       *testing.T
	session *sdk.ClientSession
}

func assistantWith(t *testing.T, a *apptest.App, token string) *assistant {
	t.Helper()
	server, err := client.New(a.URL, token)
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	if _, err := mcp.New(server, "test").Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &assistant{t, session}
}

// call calls a tool; failed is the text of its error.
func (a *assistant) call(name string, arguments map[string]any) (result map[string]any, failed string) {
	a.t.Helper()
	got, err := a.session.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	if got.IsError {
		return nil, got.Content[0].(*sdk.TextContent).Text
	}
	text, err := json.Marshal(got.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return result, ""
}

// answer calls a tool that must not fail.
func (a *assistant) answer(name string, arguments map[string]any) map[string]any {
	a.t.Helper()
	result, failed := a.call(name, arguments)
	if failed != "" {
		a.t.Fatalf("%s fails: %s", name, failed)
	}
	return result
}

// push is a table of the force of a person of a weight who stands on one leg, and leaves out one sample.
func push(weight float64) string {
	var b strings.Builder
	b.WriteString("time (s),Fz (N)\n")
	for i := range 3000 {
		if i == 1500 {
			fmt.Fprintf(&b, "%.3f,\n", float64(i)/1000)
			continue
		}
		fmt.Fprintf(&b, "%.3f,%.2f\n", float64(i)/1000, weight+math.Sin(float64(i)))
	}
	return b.String()
}

// jump is a table of the force of a person of a weight who jumps with a countermovement and leaves the
// ground at 2.5 m/s.
func jump(weight float64) string {
	const g = 9.80665
	var b strings.Builder
	b.WriteString("time (s),Fz (N)\n")
	row := 0
	phase := func(seconds, weights float64) {
		for range int(math.Round(1000 * seconds)) {
			noise := math.Sin(float64(row) * 2.3)
			if weights == 0 {
				noise /= 4
			}
			fmt.Fprintf(&b, "%.3f,%.2f\n", float64(row)/1000, weight*weights+noise)
			row++
		}
	}
	phase(2, 1)
	phase(0.3, 0.5)
	phase((2.5+0.15*g)/(0.8*g), 1.8)
	phase(2*2.5/g, 0)
	phase(2.5/g, 2)
	phase(2, 1)
	return b.String()
}

// bring sends a recording and waits until it was read.
func bring(t *testing.T, c *client.Client, n client.NewCapture, content string) string {
	t.Helper()
	r, err := c.Reserve(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Upload(t.Context(), r, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the file is read", func() bool {
		got, err := c.Capture(t.Context(), r.SessionID)
		if err != nil || got.Status == client.Failed {
			t.Fatal(got, err)
		}
		return got.Status == client.Completed
	})
	return r.SessionID
}

func TestAnAssistantFindsAPersonAndReadsWhatWasMeasured(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		c, err := client.New(a.URL, token)
		if err != nil {
			t.Fatal(err)
		}
		name, family := "Ann", "Berg"
		ann, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: &name, LastName: &family})
		if err != nil {
			t.Fatal(err)
		}
		var sessions []string
		for day := range 3 {
			at := time.Date(2026, 5, 1+day, 8, 0, 0, 0, time.UTC)
			sessions = append(sessions,
				bring(t, c, client.NewCapture{FileName: fmt.Sprintf("day %d.csv", day), AthleteIDs: []string{ann.ID},
					Activity: "jump", Movement: "countermovement", CaptureTime: &at}, jump(700+10*float64(day))))
		}
		ask := assistantWith(t, a, token)

		found := ask.answer("find_athletes", map[string]any{"name": "ann be"})
		if found["total"] != 1.0 || fmt.Sprint(found["athletes"]) != fmt.Sprintf("[map[id:%s name:Ann Berg]]", ann.ID) {
			t.Errorf("found %v", found)
		}

		listed := ask.answer("list_captures", map[string]any{"athlete_id": ann.ID, "from": "2026-05-02", "limit": 1})
		newest := listed["captures"].([]any)[0].(map[string]any)
		if listed["total"] != 2.0 || listed["next_offset"] != 1.0 || newest["session_id"] != sessions[2] ||
			newest["athlete_name"] != "Ann Berg" || newest["file_name"] != "day 2.csv" {
			t.Errorf("listed %v", listed)
		}

		read := ask.answer("read_metrics", map[string]any{"athlete_id": ann.ID, "last": 2})
		want, err := c.ListMetrics(t.Context(), ann.ID, client.MetricsFilter{})
		if err != nil {
			t.Fatal(err)
		}
		rows := read["captures"].([]any)
		if len(rows) != 2 || read["total"] != 3.0 {
			t.Fatalf("read %v", read)
		}
		values := 0
		for n, row := range rows {
			row := row.(map[string]any)
			truth := want.Captures[2-n]
			metrics := row["metrics"].(map[string]any)
			if row["session_id"] != truth.SessionID || len(metrics) != len(truth.Metrics) || len(metrics) == 0 {
				t.Errorf("row %d is %v, want %v", n, row, truth)
			}
			for name, m := range truth.Metrics {
				got := metrics[name].(map[string]any)
				switch {
				case m.Value != nil && got["value"] == *m.Value && got["withheld"] == nil:
					values++
				case m.Value == nil && m.Text == nil && got["value"] == nil && got["withheld"] != nil:
				case m.Text != nil && got["text"] == *m.Text:
				default:
					t.Errorf("%s is %v, want %+v", name, got, m)
				}
			}
		}
		if values == 0 {
			t.Error("nothing was measured, so nothing is tested")
		}

		whole := ask.answer("read_capture", map[string]any{"session_id": sessions[0]})
		motion := whole["motion"].(map[string]any)
		if motion["rate"] != 1000.0 || len(motion["metrics"].(map[string]any)) == 0 ||
			len(motion["channels"].([]any)) != 1 {
			t.Errorf("the capture is %v", whole)
		}
		described := ask.answer("describe_movement", map[string]any{"activity": "jump", "movement": "countermovement"})
		if columns := described["movements"].([]any)[0].(map[string]any)["columns"].([]any); len(columns) == 0 ||
			columns[0].(map[string]any)["definition"] == "" {
			t.Errorf("described as %v", described)
		}
	})
}

func TestPeaksOfAChannelAreThoseOfAllFramesHoweverThinTheSeries(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	c, err := client.New(a.URL, token)
	if err != nil {
		t.Fatal(err)
	}
	session := bring(t, c, client.NewCapture{FileName: "force.csv"}, push(700))
	ask := assistantWith(t, a, token)
	least, greatest, at, sum, n := 1e9, -1e9, 0.0, 0.0, 0
	for i := 1000; i <= 2000; i++ {
		if i == 1500 {
			continue
		}
		v := float64(float32(math.Round((700+math.Sin(float64(i)))*100) / 100))
		if least = min(least, v); v > greatest {
			greatest, at = v, float64(i)/1000
		}
		sum, n = sum+v, n+1
	}
	got := ask.answer("read_channels", map[string]any{"session_id": session, "channels": []string{"Fz"}, "from": 1.0,
		"to": 2.0, "points": 10})
	column := got["columns"].(map[string]any)["Fz"].(map[string]any)
	near := func(name string, want float64) {
		if v, ok := column[name].(float64); !ok || math.Abs(v-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s is %v, want %v", name, column[name], want)
		}
	}
	near("least", least)
	near("greatest", greatest)
	near("greatest_time", at)
	near("mean", sum/float64(n))
	series := got["series"].(map[string]any)
	if got["frames"] != 1001.0 || column["missing"] != 1.0 || column["unit"] != "N" || series["every"] != 101.0 ||
		len(series["time"].([]any)) != 10 || len(series["values"].(map[string]any)["Fz"].([]any)) != 10 {
		t.Errorf("got %v", got)
	}
}

func TestWhatGoesWrongIsToldInWordsAndAToolDoesWhatItsTokenMay(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	admin, viewer := a.Token(org), a.ReadOnlyToken(org)
	other := a.Token(a.Organization())
	a.Import(org)
	ask := assistantWith(t, a, viewer)
	for tool, c := range map[string]struct {
		arguments map[string]any
		says      string
	}{
		"read_capture":      {map[string]any{"session_id": "nothing"}, "404"},
		"list_captures":     {map[string]any{"from": "yesterday"}, "from must be a time such as 2026-05-01"},
		"read_metrics":      {map[string]any{"athlete_id": organization.NewUUID()}, "404"},
		"read_channels":     {map[string]any{"session_id": "x", "channels": []string{}}, "at least one channel"},
		"describe_movement": {map[string]any{"activity": "jump", "movement": "nowhere"}, "no jump/nowhere"},
		"start_export":      {map[string]any{}, "403"},
		"export_status":     {map[string]any{"job_id": "x"}, "404"},
	} {
		if _, failed := ask.call(tool, c.arguments); !strings.Contains(failed, c.says) {
			t.Errorf("%s says %q, want %q in it", tool, failed, c.says)
		}
	}
	if got := ask.answer("estimate_export", map[string]any{}); got["captures"] != 0.0 {
		t.Errorf("estimated %v", got)
	}
	if _, failed := ask.call("estimate_export", map[string]any{"captures": []string{"none"}}); !strings.Contains(failed,
		`captures names "none"`) {
		t.Errorf("of a capture that is not there: %q", failed)
	}
	started := assistantWith(t, a, admin).answer("start_export", map[string]any{"shape": "captures"})
	job := started["job_id"].(string)
	if !strings.Contains(started["download"].(string), "--job "+job) {
		t.Errorf("started %v", started)
	}
	testkit.Until(t, "the export is done", func() bool {
		return ask.answer("export_status", map[string]any{"job_id": job})["status"] == "COMPLETED"
	})
	if _, failed := assistantWith(t, a, other).call("export_status", map[string]any{"job_id": job}); !strings.Contains(
		failed, "404") {
		t.Errorf("another organization's export: %q", failed)
	}
}

func TestEveryToolSaysWhatItDoesAndOnlyOneChangesAnything(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	listed, err := assistantWith(t, a, a.Token(a.Organization())).session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var changing []string
	for _, tool := range listed.Tools {
		if tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%s has no description or no schema", tool.Name)
		}
		if !tool.Annotations.ReadOnlyHint {
			changing = append(changing, tool.Name)
		}
	}
	if len(listed.Tools) != 9 || strings.Join(changing, " ") != "start_export" {
		t.Errorf("%d tools, of which %v change something", len(listed.Tools), changing)
	}
}
