package cli_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/client"
)

func TestAWebhookIsMadeTestedRotatedAndDeletedByCommand(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	human := s.run("webhook", "create", "--org", org, "https://receiver.example.org/hook").ok().out
	secret, _, _ := strings.Cut(human, "\n")
	if !strings.HasPrefix(secret, "whsec_") || !strings.Contains(human, "once") {
		t.Errorf("for people it prints\n%s", human)
	}
	var made, rotated struct{ ID, Secret string }
	s.run("webhook", "create", "--org", org, "--events", "capture.deleted,capture.completed", "--description",
		"nightly", "--json", "https://receiver.example.org/two").into(&made)
	var hooks []client.Webhook
	list := s.run("webhook", "list", "--org", org, "--json")
	list.into(&hooks)
	if len(hooks) != 2 || hooks[1].ID != made.ID ||
		strings.Join(hooks[1].Events, ",") != "capture.completed,capture.deleted" || !hooks[1].Enabled ||
		hooks[0].Events[0] != "*" || strings.Contains(list.out, "whsec_") {
		t.Errorf("the list is %s", list.out)
	}
	if table := s.run("webhook", "list", "--org", org).ok().out; !strings.Contains(table, made.ID) ||
		!strings.Contains(table, "never") || strings.Contains(table, "whsec_") {
		t.Errorf("for people it is\n%s", table)
	}
	ping := strings.TrimSpace(s.run("webhook", "test", "--org", org, "--quiet", made.ID).ok().out)
	var deliveries []client.WebhookDelivery
	s.run("webhook", "deliveries", "--org", org, "--state", "pending", "--json", made.ID).into(&deliveries)
	if len(deliveries) != 1 || deliveries[0].ID != ping || deliveries[0].Type != "webhook.test" ||
		deliveries[0].Data.ID != made.ID {
		t.Errorf("deliveries: %+v", deliveries)
	}
	if table := s.run("webhook", "deliveries", "--org", org, made.ID).ok().out; !strings.Contains(table, ping) ||
		!strings.Contains(table, "pending") {
		t.Errorf("for people they are\n%s", table)
	}
	s.run("webhook", "rotate", "--org", org, "--json", made.ID).into(&rotated)
	if rotated.ID != made.ID || !strings.HasPrefix(rotated.Secret, "whsec_") || rotated.Secret == made.Secret {
		t.Errorf("rotated: %+v", rotated)
	}
	s.run("webhook", "delete", "--org", org, made.ID).ok()
	acts := s.run("audit", "--org", org, "--object", made.ID).ok().out
	for _, act := range []string{"webhook create", "webhook test", "webhook rotate", "webhook delete"} {
		if strings.Count(acts, act) != 1 {
			t.Errorf("the audit log does not have %q once:\n%s", act, acts)
		}
	}
	for _, wrong := range [][]string{
		{"create", "--org", org, "http://receiver.example.org"},
		{"create", "--org", org, "https://127.0.0.1/"},
		{"create", "--org", org, "--events", "capture.made", "https://receiver.example.org"},
		{"deliveries", "--org", org, "--limit", "501", made.ID},
	} {
		if code := s.run(append([]string{"webhook"}, wrong...)...).code; code != 2 {
			t.Errorf("%q ended with %d", wrong, code)
		}
	}
	if gone := s.run("webhook", "test", "--org", org, made.ID); gone.code != 1 ||
		!strings.Contains(gone.err, "there is no webhook") {
		t.Errorf("a deleted webhook: %d %s", gone.code, gone.err)
	}
}
