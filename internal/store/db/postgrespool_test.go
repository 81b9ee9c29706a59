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
