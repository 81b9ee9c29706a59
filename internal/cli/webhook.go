package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/webhook"
)

type webhookCommands struct {
	List       webhookListCmd       `cmd:"" help:"List the webhooks of an organization, without their secrets."`
	Create     webhookCreateCmd     `cmd:"" help:"Have a program told what changes. Its secret is shown once."`
	Test       webhookTestCmd       `cmd:"" help:"Have a server send webhook.test to a webhook."`
	Deliveries webhookDeliveriesCmd `cmd:"" help:"List what was and is to be delivered to a webhook."`
	Rotate     webhookRotateCmd     `cmd:"" help:"Give a webhook a new secret. For a day the old one signs too."`
	Delete     webhookDeleteCmd     `cmd:"" help:"Delete a webhook with its deliveries."`
}

// orgFlag names the organization of a webhook.
type orgFlag struct {
	Org string `name:"org" required:"" placeholder:"ID" help:"The organization."`
}

type webhookListCmd struct {
	orgFlag
	storeFlags
	jsonFlag
}

// Run lists webhooks, oldest first.
func (c *webhookListCmd) Run(ctx context.Context, w *World) error {
	return c.in(ctx, w, c.storeFlags, func(s *store.Store, org organization.ID) error {
		hooks, err := s.Webhooks(ctx, operator(org))
		if err != nil {
			return err
		}
		if c.JSON {
			items := make([]webhookItem, len(hooks))
			for i := range hooks {
				items[i] = itemOf(&hooks[i])
			}
			return w.json(items)
		}
		if len(hooks) == 0 {
			return w.say("There is no webhook. Create one: kinebase webhook create --org ID URL")
		}
		rows := make([][]string, len(hooks))
		for i, h := range hooks {
			state := h.State.String()
			if h.Reason != "" {
				state += ": " + string(h.Reason)
			}
			rows[i] = []string{h.ID, h.URL, strings.Join(h.Events.Strings(), ","), state, day(h.DeliveredAt, "never")}
		}
		return w.table([]string{"ID", "URL", "EVENTS", "STATE", "LAST DELIVERED (UTC)"}, rows)
	})
}

type webhookCreateCmd struct {
	orgFlag
	URL         string   `arg:"" help:"Where deliveries are posted: an address that begins with https://."`
	Events      []string `name:"events" default:"*" placeholder:"EVENT" help:"What it is told, such as capture.completed,capture.deleted; * is everything."`
	Description string   `name:"description" help:"A note for people."`
	storeFlags
	quietFlag `set:"quiet=the secret"`
}

// Run makes a webhook and shows its secret, this once.
func (c *webhookCreateCmd) Run(ctx context.Context, w *World) error {
	settings, err := app.Configure(c.flags(), w.Env)
	if err != nil {
		return err
	}
	change := webhook.Change{URL: &c.URL}
	if _, err := webhook.ParseURL(c.URL, settings.WebhookPrivate); err != nil {
		return usage("%s", explain(err))
	}
	if change.Events, err = webhook.ParseEvents(c.Events); err != nil {
		return usage("%s", explain(err))
	}
	note, err := webhook.ParseDescription(c.Description)
	if err != nil {
		return usage("%s", explain(err))
	}
	change.Description = &note
	h := webhook.New(change, time.Now())
	return c.in(ctx, w, c.storeFlags, func(s *store.Store, org organization.ID) error {
		if err := s.CreateWebhook(acting(ctx, "webhook create", "webhook", h.ID), operator(org), h, nil); err != nil {
			return err
		}
		return w.signing(&h, c.quietFlag)
	})
}

type webhookRotateCmd struct {
	orgFlag
	ID string `arg:"" help:"The webhook's id, as webhook list shows it."`
	storeFlags
	quietFlag `set:"quiet=the secret"`
}

// Run makes another secret and shows it, this once.
func (c *webhookRotateCmd) Run(ctx context.Context, w *World) error {
	return c.on(ctx, w, c.storeFlags, c.ID, func(s *store.Store, org organization.ID, id string) error {
		now := time.Now().UTC().Truncate(time.Millisecond)
		h, err := s.ChangeWebhook(acting(ctx, "webhook rotate", "webhook", id), operator(org), id, nil,
			func(h webhook.Webhook) (webhook.Webhook, error) {
				return h.Rotated(now), nil
			})
		if err != nil {
			return err
		}
		return w.signing(&h, c.quietFlag)
	})
}

type webhookTestCmd struct {
	orgFlag
	ID string `arg:"" help:"The webhook's id, as webhook list shows it."`
	storeFlags
	quietFlag `set:"quiet=the delivery's id"`
}

// Run asks for a test.
func (c *webhookTestCmd) Run(ctx context.Context, w *World) error {
	return c.on(ctx, w, c.storeFlags, c.ID, func(s *store.Store, org organization.ID, id string) error {
		d, err := s.Ping(acting(ctx, "webhook test", "webhook", id), operator(org), id, nil)
		switch {
		case err != nil:
			return err
		case c.Quiet:
			return w.say("%s", d.ID)
		case c.JSON:
			return w.json(deliveryOf(&d))
		}
		return w.say("A server sends it, while one runs. What came of it: kinebase webhook deliveries --org %s %s",
			org, id)
	})
}

type webhookDeliveriesCmd struct {
	orgFlag
	ID    string `arg:"" help:"The webhook's id, as webhook list shows it."`
	State string `name:"state" enum:",pending,delivered,failed" default:"" placeholder:"STATE" help:"Those alone that are pending, delivered or failed."`
	Limit int    `name:"limit" default:"20" placeholder:"N" help:"How many, latest event first; at most 500 (default: ${default})."`
	storeFlags
	jsonFlag
}

// Run lists deliveries, latest event first.
func (c *webhookDeliveriesCmd) Run(ctx context.Context, w *World) error {
	q := webhook.Query{Limit: c.Limit}
	if c.Limit < 1 || c.Limit > 500 {
		return usage("--limit must be 1 to 500, not %d", c.Limit)
	}
	if c.State != "" {
		state, err := webhook.ParseDeliveryState(c.State)
		if err != nil {
			return usage("%s", explain(err))
		}
		q.State = &state
	}
	return c.on(ctx, w, c.storeFlags, c.ID, func(s *store.Store, org organization.ID, id string) error {
		page, err := s.Deliveries(ctx, operator(org), id, q)
		if err != nil {
			return err
		}
		if c.JSON {
			items := make([]deliveryItem, len(page.Deliveries))
			for i := range page.Deliveries {
				items[i] = deliveryOf(&page.Deliveries[i])
			}
			return w.json(items)
		}
		rows := make([][]string, len(page.Deliveries))
		for i, d := range page.Deliveries {
			answer := string(d.Problem)
			if d.LastCode != 0 {
				answer = strings.TrimSpace(strconv.Itoa(d.LastCode) + " " + answer)
			}
			rows[i] = []string{d.ID, d.At.Format(payload.TimeLayout), string(d.Event), d.Data.ID, d.State.String(),
				strconv.Itoa(d.Attempts), answer}
		}
		return w.table([]string{"ID", "AT (UTC)", "EVENT", "OBJECT", "STATE", "ATTEMPTS", "LAST ANSWER"}, rows)
	})
}

type webhookDeleteCmd struct {
	orgFlag
	ID string `arg:"" help:"The webhook's id, as webhook list shows it."`
	storeFlags
	jsonFlag
}

// Run deletes a webhook.
func (c *webhookDeleteCmd) Run(ctx context.Context, w *World) error {
	return c.on(ctx, w, c.storeFlags, c.ID, func(s *store.Store, org organization.ID, id string) error {
		if err := s.DeleteWebhook(acting(ctx, "webhook delete", "webhook", id), operator(org), id); err != nil {
			return err
		}
		if c.JSON {
			return w.json(struct {
				ID string `json:"id"`
			}{id})
		}
		return w.say("The webhook %s and its deliveries are deleted.", id)
	})
}

// in opens the store for work in the organization.
func (o orgFlag) in(ctx context.Context, w *World, f storeFlags,
	work func(s *store.Store, org organization.ID) error) error {
	org, err := parseID("--org", o.Org)
	if err != nil {
		return err
	}
	return f.with(ctx, w, func(s *store.Store) error {
		if err := exists(ctx, s, org); err != nil {
			return err
		}
		return work(s, org)
	})
}

// on is in for work on one webhook.
func (o orgFlag) on(ctx context.Context, w *World, f storeFlags, name string,
	work func(s *store.Store, org organization.ID, id string) error) error {
	id, err := parseID("the webhook's id", name)
	if err != nil {
		return err
	}
	return o.in(ctx, w, f, func(s *store.Store, org organization.ID) error {
		if _, err := s.Webhook(audit.Without(ctx), operator(org), id.String()); fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "there is no webhook %s; kinebase webhook list --org %s shows them", id,
				org)
		} else if err != nil {
			return err
		}
		return work(s, org, id.String())
	})
}
