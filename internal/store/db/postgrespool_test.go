package db

import (
	"testing"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/testkit"
)

// TestAConnectionWhoseOtherEndIsGoneIsGivenUp holds the pools to a bound: without one a connection that was half open,
// because a firewall forgot it, say, kept whoever was given it for ever. The campaign has connections do so.
func TestAConnectionWhoseOtherEndIsGoneIsGivenUp(t *testing.T) {
	pool, err := openPool(t.Context(), testkit.Postgres(t).Database(t), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if got := pool.Config().PingTimeout; got != breaker.AnswerTime {
		t.Errorf("an idle connection is waited for %v long", got)
	}
}

// TestAConnectionHasItsSettingsThroughAPoolerToo does: pgbouncer refuses connections that begin with settings which it
// does not know, and where it is told to pass over them they do not count.
func TestAConnectionHasItsSettingsThroughAPoolerToo(t *testing.T) {
	database := testkit.Postgres(t).Database(t)
	want := map[string]string{"default_transaction_read_only": "on", "plan_cache_mode": "force_generic_plan",
		"enable_seqscan": "off", "jit": "off", "timezone": "UTC", "application_name": "kinebase", idleTimeout: "1min"}
	for how, url := range map[string]string{"straight": database, "through a pooler": testkit.Pooler(t, database)} {
		pool, err := openPool(t.Context(), url, 2, map[string]string{"default_transaction_read_only": "on"})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		for name, value := range want {
			var got string
			if err := pool.QueryRow(t.Context(), `SELECT current_setting($1)`, name).Scan(&got); err != nil || got != value {
				t.Errorf("%s, %s is %q, want %q (%v)", how, name, got, value, err)
			}
		}
	}
}
