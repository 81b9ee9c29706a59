package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/organization"
)

// line is the one line that log writes, as an object.
func line(t *testing.T, log func(*slog.Logger)) map[string]any {
	t.Helper()
	var out bytes.Buffer
	log(telemetry.NewLog(&out, slog.LevelInfo, true))
	var object map[string]any
	if err := json.Unmarshal(out.Bytes(), &object); err != nil {
		t.Fatalf("not one JSON object: %v\n%s", err, &out)
	}
	return object
}

func TestALineIsAnObjectWithTheTimeInUTC(t *testing.T) {
	before := time.Now().Truncate(time.Millisecond)
	got := line(t, func(log *slog.Logger) { log.Info("request served", "route", "GET /v1/captures", "status", 200) })
	at, err := time.Parse("2006-01-02T15:04:05.000Z", got["time"].(string))
	if err != nil || at.Before(before) || at.After(time.Now()) {
		t.Errorf("time is %v (%v), want now in UTC with milliseconds", got["time"], err)
	}
	if got["level"] != "INFO" || got["msg"] != "request served" || got["route"] != "GET /v1/captures" ||
		got["status"] != 200.0 {
		t.Errorf("the line is %v", got)
	}
}

func TestTimesAndDurationsAreWrittenAlikeEverywhere(t *testing.T) {
	berlin := time.FixedZone("CEST", 2*60*60)
	got := line(t, func(log *slog.Logger) {
		log.Info("x", "at", time.Date(2026, 5, 13, 14, 0, 0, 0, berlin), "took", 1500*time.Millisecond)
	})
	if got["at"] != "2026-05-13T12:00:00.000Z" || got["took"] != 1.5 {
		t.Errorf("at %v, took %v; want UTC and seconds", got["at"], got["took"])
	}
}

func TestLinesBelowTheLevelAreNotWritten(t *testing.T) {
	var out bytes.Buffer
	telemetry.NewLog(&out, slog.LevelWarn, true).Info("chatter")
	if out.Len() > 0 {
		t.Errorf("written: %s", &out)
	}
}

type account struct{ name string }

func (a account) String() string { return "postgres://" + a.name + ":hunter2@db/x" }

func TestSecretsAreStruckOutWhereverTheyStand(t *testing.T) {
	_, secret, err := organization.NewToken(organization.ID{1}, "t", organization.AllPermissions, 0, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []bool{true, false} {
		var out bytes.Buffer
		log := telemetry.NewLog(&out, slog.LevelInfo, form)
		log.Info("called with " + string(secret))
		log.Info("x", "header", "Bearer "+string(secret))
		log.Info("x", "Authorization", "Basic aHVudGVyMg", "password", "hunter2")
		log.Info("x", "error", errors.New("dial postgres://kine:hunter2@db:5432/x: refused"))
		log.Info("x", "error", errors.New("cannot parse `host=db password=hunter2 user=kine`"))
		log.Info("x", "error", errors.New("cannot parse `host=db password='hunter2 hunter2'`"))
		log.Info("x", "who", account{"kine"}, "list", []string{string(secret)})
		log.Info("x", slog.Group("database", "url", "redis://:hunter2@cache"))
		log.With("password", "hunter2").Info("x")
		for _, s := range []string{string(secret), "hunter2", "aHVudGVyMg"} {
			if strings.Contains(out.String(), s) {
				t.Errorf("the log (JSON: %v) holds %s:\n%s", form, s, &out)
			}
		}
		for _, kept := range []string{"kine:[hidden]@db:5432/x: refused", "host=db", "user=kine"} {
			if !strings.Contains(out.String(), kept) {
				t.Errorf("the log (JSON: %v) lost %q, which is no secret:\n%s", form, kept, &out)
			}
		}
	}
}
