package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/need"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/webhook"
)

// TestTheReceiversOfThePageTakeWhatIsGenuineOnce runs the receivers of docs/webhooks.md, and sends them deliveries that
// are signed by the library of Standard Webhooks, and forged ones.
func TestTheReceiversOfThePageTakeWhatIsGenuineOnce(t *testing.T) {
	testkit.Long(t)
	node, err := exec.Command(absolute(t, "..", "..", "scripts", "node")).Output()
	if err != nil {
		need.Missing(t, "no Node.js to run a receiver: %v", err)
	}
	programs := map[string]string{"receiver.py": "python3",
		"receiver.mjs": filepath.Join(strings.TrimSpace(string(node)), "node")}
	for _, b := range page(t, "docs/webhooks.md", "## A receiver in Python and in Node") {
		if first := fileName.FindStringSubmatch(b.text); first != nil {
			program := programs[first[1]]
			delete(programs, first[1])
			t.Run(first[1], func(t *testing.T) { receive(t, program, first[1], b.text) })
		}
	}
	if len(programs) > 0 {
		t.Errorf("the page does not have %v", programs)
	}
}

func receive(t *testing.T, program, name, text string) {
	address := freeAddress(t)
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "8093", port(t, address))), 0o600); err != nil {
		t.Fatal(err)
	}
	secret := webhook.NewSecret()
	signer, err := standardwebhooks.NewWebhook(string(secret))
	if err != nil {
		t.Fatal(err)
	}
	var said, wrong testkit.Buffer
	cmd := exec.Command(program, file)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "WEBHOOK_SECRET="+string(secret)), &said, &wrong
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	post := func(body string, header map[string]string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range header {
			request.Header.Set(name, value)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0
		}
		_ = answer.Body.Close() // of which nothing is wanted
		return answer.StatusCode
	}
	signed := func(id string, at time.Time, body string) map[string]string {
		signature, err := signer.Sign(id, at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{"webhook-id": id, "webhook-timestamp": strconv.FormatInt(at.Unix(), 10),
			"webhook-signature": signature}
	}
	testkit.Until(t, "the receiver listens", func() bool { return post("", nil) == http.StatusUnauthorized })
	now, body := time.Now(), `{"type":"athlete.created","timestamp":"2026-05-13T12:30:00.000Z","data":{"id":"ö 1"}}`
	changing := signed("2", now, body)
	changing["webhook-signature"] = "v1,bm9uZQ== v2,x " + changing["webhook-signature"]
	forged := signed("3", now, body)
	forged["webhook-id"] = "4"
	for _, c := range []struct {
		what   string
		body   string
		header map[string]string
		status int
	}{
		{"a delivery", body, signed("1", now, body), 204},
		{"the same once more", body, signed("1", now, body), 204},
		{"one with signatures by two secrets", body, changing, 204},
		{"another body", body + " ", signed("3", now, body), 401},
		{"another id", body, forged, 401},
		{"an old one", body, signed("3", now.Add(-time.Hour), body), 401},
		{"one of the future", body, signed("3", now.Add(time.Hour), body), 401},
		{"one without a signature", body, map[string]string{"webhook-id": "3"}, 401},
		{"another one", body, signed("5", now, body), 204},
	} {
		if got := post(c.body, c.header); got != c.status {
			t.Errorf("%s is answered with %d, want %d\n%s", c.what, got, c.status, wrong.String())
		}
	}
	// What it prints comes through a pipe, a moment after the answer.
	testkit.Until(t, "the last delivery is printed", func() bool { return strings.Count(said.String(), "\n") >= 3 })
	if got, want := said.String(), strings.Repeat("athlete.created ö 1\n", 3); got != want {
		t.Errorf("it has printed %q, want %q", got, want)
	}
}
