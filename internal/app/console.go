package app

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/organization"
)

// withConsole puts the console's sessions before an interface.
func (a *App) withConsole(api httpapi.Handler, o console.Options) (http.Handler, error) {
	o.API, o.Log, o.Version = api, a.log, a.version
	o.PublicURL, o.MaxUpload = a.config.PublicURL.Reveal(), a.config.MaxUpload
	if o.MaxUpload == 0 {
		o.MaxUpload = httpapi.DefaultMaxUpload
	}
	return console.New(o)
}

// signedIn finds out for the console who is signed in, at the door of the interface.
type signedIn struct {
	door          *caller.Door
	organizations organization.Store
}

func (p signedIn) of(ctx context.Context, shown caller.Shown, from netip.Addr) (console.Person, error) {
	c, err := p.door.Identify(ctx, shown, from, time.Now())
	if err != nil {
		return console.Person{}, err
	}
	if v := p.door.Count(ctx, c); v.Err != nil {
		return console.Person{}, v.Err
	}
	o, err := p.organizations.Organization(ctx, c.Organization)
	return console.Person{Organization: o, Caller: c}, err
}
