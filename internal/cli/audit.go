package cli

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/payload"
)

// acting has what a command changes written into the audit log.
func acting(ctx context.Context, command, kind, id string) context.Context {
	return audit.With(ctx, audit.Entry{Action: command, Status: 200,
		Actor:  audit.Actor{Kind: audit.Command, ID: "uid " + strconv.Itoa(os.Getuid())},
		Object: audit.Object{Kind: kind, ID: id}})
}

type auditCmd struct {
	Org    string `name:"org" required:"" placeholder:"ID" help:"The organization."`
	Actor  string `name:"actor" placeholder:"ID" help:"Entries of this actor alone."`
	Object string `name:"object" placeholder:"ID" help:"Entries about this object alone."`
	Action string `name:"action" placeholder:"NAME" help:"Entries of this operation or command alone."`
	From   string `name:"from" placeholder:"TIME" help:"Entries from this moment on, such as 2026-05-13T12:00:00Z."`
	To     string `name:"to" placeholder:"TIME" help:"Entries before this moment."`
	storeFlags
	jsonFlag
}

// auditPage is how many entries are read at a time.
const auditPage = 1000

// Run prints the audit log, oldest entry first; with --json an entry a line.
func (c *auditCmd) Run(ctx context.Context, w *World) error {
	org, err := parseID("--org", c.Org)
	if err != nil {
		return err
	}
	q := audit.Query{Limit: auditPage, Actor: c.Actor, Object: c.Object, Action: c.Action}
	for _, bound := range []struct {
		flag, text string
		to         **time.Time
	}{{"--from", c.From, &q.From}, {"--to", c.To, &q.To}} {
		if bound.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, bound.text)
		if err != nil {
			return usage("%s must be a time such as 2026-05-13T12:00:00Z, not %q", bound.flag, bound.text)
		}
		*bound.to = &at
	}
	return c.with(ctx, w, func(s *store.Store) error {
		unknown := exists(ctx, s, org) // an organization that is gone has left an entry
		for {
			page, err := s.Audit(ctx, operator(org), q)
			if err != nil {
				return err
			}
			if unknown != nil && len(page.Entries) == 0 {
				return unknown
			}
			for _, e := range page.Entries {
				if err := c.print(w, e); err != nil {
					return err
				}
			}
			if !page.More {
				return nil
			}
			q.After = page.Next
		}
	})
}

func (c *auditCmd) print(w *World, e audit.Entry) error {
	if c.JSON {
		return w.json(e)
	}
	return w.say("%s  %s %s %s  %s  %s %s  %d %s", e.At.Format(payload.TimeLayout), e.Actor.Kind, e.Actor.ID,
		e.Actor.Name,
		e.Action, e.Object.Kind, e.Object.ID, e.Status, e.Address)
}
