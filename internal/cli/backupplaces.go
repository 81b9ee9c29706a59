package cli

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/store"
)

// lostPlace is the id of a place, as --places tells it.
var lostPlace = regexp.MustCompile(`^[0-9a-f]{32}$`)

// places lists the places that the store keeps deletions for.
func (c *backupCmd) places(ctx context.Context, w *World) error {
	if c.Place != "" {
		return usage("--places lists all places: name none")
	}
	return c.with(ctx, w, func(s *store.Store) error {
		all, err := s.Holdings(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(append([]store.Holding{}, all...))
		}
		if len(all) == 0 {
			return w.say("The store keeps deletions for no place of backups.")
		}
		rows := make([][]string, len(all))
		for i, h := range all {
			rows[i] = []string{h.Place, strconv.FormatInt(h.Waits, 10)}
		}
		return w.table([]string{"PLACE", "DELETIONS NOT IN ITS LIST"}, rows)
	})
}

// forget gives up a place that is there.
func (c *backupCmd) forget(ctx context.Context, w *World, place app.Place) error {
	return c.with(ctx, w, func(s *store.Store) error {
		id, err := backup.GiveUp(ctx, s, place, time.Now)
		if errors.Is(err, backup.ErrElsewhere) {
			err = errors.New("another process brings the list of the place up to date just now: try it again")
		}
		if err != nil {
			return err
		}
		return c.gaveUp(w, id)
	})
}

// forgetLost gives up a place that cannot be reached any more.
func (c *backupCmd) forgetLost(ctx context.Context, w *World) error {
	return c.with(ctx, w, func(s *store.Store) error {
		known, err := s.GiveUpPlace(ctx, c.Place)
		if err != nil {
			return err
		}
		if !known {
			return errors.New("the store keeps no deletions for a place of this id: kinebase backup --places lists " +
				"the ids")
		}
		return c.gaveUp(w, c.Place)
	})
}

func (c *backupCmd) gaveUp(w *World, id string) error {
	if c.JSON {
		return w.json(struct {
			Place string `json:"place"`
		}{id})
	}
	return w.say("Gave up the place %s. Nothing is backed up to it any more. Remove its backups: one that is "+
		"restored brings back what is deleted from now on.", id)
}
