package app_test

import (
	"log/slog"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/openid"
)

// TestWhatEndedAfterABackupDoesNotLiveAgainWhenItIsRestored restores a backup from before the provider ended
// a session, which the browser's cookie goes on to hold.
func TestWhatEndedAfterABackupDoesNotLiveAgainWhenItIsRestored(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	org := a.Organization()
	p.Person("subject", member(org, "staff", openid.Claims{"sid": "s"}))
	v := newVisitor(t)
	v.signIn(a, a)
	v.want(200, a, "GET", "/console/v1/captures")
	kept := v.cookies["kinebase_session"]
	program := p.Sign(p.Access("subject",
		member(org, "staff", openid.Claims{"iat": time.Now().Add(-2 * time.Second).Unix()})))
	a.Get("/captures", program).Want(200)
	place := disk(t, filepath.Join(t.TempDir(), "backups"))
	if _, err := app.Backup(t.Context(), settings(t, a.Place["data"]), a.Store,
		&app.Files{Files: disk(t, filepath.Join(a.Place["data"], "files"))}, place, "test"); err != nil {
		t.Fatal(err)
	}
	v.want(204, a, "GET", "/console/front-channel-logout?"+url.Values{"iss": {p.Issuer}, "sid": {"s"}}.Encode())
	v.want(401, a, "GET", "/console/v1/captures")

	data := filepath.Join(t.TempDir(), "restored")
	if _, err := app.Restore(t.Context(), settings(t, data), place, "", slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	b := apptest.Start(t, apptest.SQLite, signingIn(p, apptest.At(map[string]string{"data": data}))...)
	// Whoever had been signed out since has no token that counts again.
	b.Get("/captures", program).Want(401)
	v.cookies["kinebase_session"] = kept
	v.want(401, b, "GET", "/console/v1/captures")
	v.signIn(b, b)
	v.want(200, b, "GET", "/console/v1/captures")
	b.Get("/captures", p.Sign(p.Access("subject", member(org, "staff")))).Want(200)
}
