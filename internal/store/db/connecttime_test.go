package db

import (
	"testing"
	"time"
)

func TestWhoeverMigratesWaitsForAConnectionNoLongerThanTheStartMayRetry(t *testing.T) {
	for url, want := range map[string]time.Duration{
		"postgres://kinebase@127.0.0.1/kinebase":                    connectTime,
		"postgres://kinebase@127.0.0.1/kinebase?connect_timeout=3":  3 * time.Second,
		"postgres://kinebase@127.0.0.1/kinebase?connect_timeout=60": connectTime,
	} {
		config, err := migrating(url)
		must(t, err)
		if config.ConnectTimeout != want {
			t.Errorf("%s waits %s, want %s", url, config.ConnectTimeout, want)
		}
	}
}
