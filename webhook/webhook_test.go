package webhook_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/webhook"
)

func TestAddressesThatAreNotPublicAreKnownHoweverTheyAreWritten(t *testing.T) {
	for _, a := range []string{
		"127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254",
		"100.64.0.1", "100.127.255.255", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1",
		"198.51.100.1", "203.0.113.1",
		"192.88.99.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::7f00:1",
		"64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1",
		"fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "2002:7f00:1::",
		"2001::1", "100::1", "3fff::1",
	} {
		if webhook.Public(netip.MustParseAddr(a)) {
			t.Errorf("%s is public", a)
		}
	}
	for _, a := range []string{"1.1.1.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "2606:4700::1111",
		"::ffff:1.1.1.1", "64:ff9b::101:101"} {
		if !webhook.Public(netip.MustParseAddr(a)) {
			t.Errorf("%s is not public", a)
		}
	}
	if webhook.Public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestTheAddressOfAReceiverIsJudgedWhenItIsWrittenDown(t *testing.T) {
	for raw, want := range map[string][2]bool{ // whether it is taken, and where private ones are allowed
		"https://example.org":                  {true, true},
		"https://example.org:8443/a?b=c":       {true, true},
		"https://1.1.1.1/x":                    {true, true},
		"https://127.0.0.1":                    {false, true},
		"https://[::ffff:10.0.0.1]":            {false, true},
		"https://localhost/x":                  {false, true},
		"https://10.1.2.3":                     {false, true},
		"http://127.0.0.1:8000/x":              {false, true},
		"http://[::1]:8000":                    {false, true},
		"http://localhost":                     {false, true},
		"http://example.org":                   {false, false},
		"http://10.1.2.3":                      {false, false},
		"https://":                             {false, false},
		"https://user:pass@example.org":        {false, false},
		"https://example.org#part":             {false, false},
		"https://example.org:0":                {false, false},
		"https://example.org:70000":            {false, false},
		"https://exämple.org":                  {false, false},
		"https://example.org/a b":              {false, false},
		"ftp://example.org":                    {false, false},
		"//example.org":                        {false, false},
		"https:example.org":                    {false, false},
		"":                                     {false, false},
		"https://" + strings.Repeat("x", 2048): {false, false},
	} {
		for i, private := range []bool{false, true} {
			if _, err := webhook.ParseURL(raw, private); (err == nil) != want[i] {
				t.Errorf("%q with private addresses %v: %v", raw, private, err)
			}
		}
	}
}

func TestTheBodyOfAWebhookIsReadStrictly(t *testing.T) {
	for body, want := range map[string]string{
		`{"url":"https://example.org"}`: "",
		`{"url":"https://example.org","events":["*"],"description":" x ","enabled":false}`: "",
		`{"url":"https://example.org","events":null,"description":null,"enabled":null}`:    "",
		`{}`:                                  "url is required",
		`{"url":null}`:                        "url must be a string",
		`{"url":1}`:                           "url must be a string",
		`{"url":"https://e.org","events":[]}`: "at least one event",
		`{"url":"https://e.org","events":["*","capture.created"]}`: "not both",
		`{"url":"https://e.org","events":["capture.made"]}`:        `"capture.made" is not one of`,
		`{"url":"https://e.org","events":["webhook.test"]}`:        `"webhook.test" is not one of`,
		`{"url":"https://e.org","events":"*"}`:                     "must be an array",
		`{"url":"https://e.org","events":[1]}`:                     "strings only",
		`{"url":"https://e.org","enabled":"yes"}`:                  "true or false",
		`{"url":"https://e.org","secret":"whsec_x"}`:               "not a field",
		`{"url":"https://e.org","description":"a\u0007"}`:          "control characters",
	} {
		o, err := payload.Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		c, err := webhook.ReadChange(o, true, false)
		if want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
		if err == nil && c.Description != nil && *c.Description != "x" {
			t.Errorf("%s: %q", body, *c.Description)
		}
	}
	o, err := payload.Parse([]byte(`{"description":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.ReadChange(o, false, false); err == nil {
		t.Error("null is taken for a change")
	}
}

func TestAWebhookThatIsEnabledAgainBeginsAnew(t *testing.T) {
	at := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	url, on, off := "https://example.org", true, false
	w := webhook.New(webhook.Change{URL: &url}, at)
	w = w.After([]webhook.Outcome{{At: at, Status: 500, Problem: webhook.Status}})
	if w.State != webhook.Enabled || w.FailingSince == nil || w.RestUntil == nil ||
		w.RestUntil.Sub(at) != 5*time.Second {
		t.Errorf("after a failure: %+v", w)
	}
	failing := w
	w = w.After([]webhook.Outcome{{At: at.Add(time.Hour), Problem: webhook.Timeout},
		{At: at.Add(time.Hour), Status: 200}})
	if w.FailingSince != nil || w.RestUntil != nil || w.DeliveredAt == nil {
		t.Errorf("after a success: %+v", w)
	}
	w = w.After([]webhook.Outcome{{At: at, Status: 500, Problem: webhook.Status}})
	w = w.After([]webhook.Outcome{{At: at.Add(webhook.Patience), Problem: webhook.Connection}})
	if w.State != webhook.Paused || w.Reason != webhook.Failing ||
		w.RestUntil.Sub(at.Add(webhook.Patience)) != 5*time.Minute {
		t.Errorf("after five days: %+v", w)
	}
	if again := (webhook.Change{Enabled: &on}).Apply(w, at); again.State != webhook.Enabled || again.Reason != "" ||
		again.FailingSince != nil || again.RestUntil != nil {
		t.Errorf("enabled again: %+v", again)
	}
	elsewhere := "https://example.com"
	if moved := (webhook.Change{URL: &elsewhere}).Apply(failing, at); moved.FailingSince != nil ||
		moved.RestUntil != nil {
		t.Errorf("another receiver has the failures of the one before: %+v", moved)
	}
	if same := (webhook.Change{URL: &url}).Apply(failing, at); same.FailingSince == nil || same.RestUntil == nil {
		t.Errorf("the same receiver has not failed any more: %+v", same)
	}
	if own := (webhook.Change{Enabled: &off}).Apply(w, at); own.State != webhook.Disabled || own.Reason != "" {
		t.Errorf("disabled by its owner: %+v", own)
	}
	if same := (webhook.Change{URL: &url}).Apply(w, at.Add(time.Hour)); !same.UpdatedAt.Equal(w.UpdatedAt) {
		t.Error("a change of nothing is noted")
	}
}

func TestSecretsSignForADayAfterARotation(t *testing.T) {
	at := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	w := webhook.New(webhook.Change{}, at)
	first := w.Secret
	w = w.Rotated(at)
	second := w.Secret
	if got := w.Secrets(at.Add(24*time.Hour - 1)); len(got) != 2 || got[0] != second || got[1] != first {
		t.Errorf("within a day %v", got)
	}
	if got := w.Secrets(at.Add(24 * time.Hour)); len(got) != 1 || got[0] != second {
		t.Errorf("after it %v", got)
	}
	w = w.Rotated(at.Add(time.Hour))
	if got := w.Secrets(at.Add(2 * time.Hour)); len(got) != 2 || got[1] != second {
		t.Errorf("after another rotation %v", got)
	}
	for _, s := range []webhook.Secret{first, second, w.Secret} {
		if !strings.HasPrefix(string(s), "whsec_") || len(s) != 50 {
			t.Errorf("%s", s)
		}
	}
}
