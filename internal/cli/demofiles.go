package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/demo"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// bring has motion files come in as if they had been uploaded, to be read once the
// server runs. It gives the capture of the first one.
func (c *demoCmd) bring(ctx context.Context, s *store.Store, settings config.Config, org organization.ID,
	now time.Time) (first string, err error) {
	motions, err := demo.MotionsOf(c.Seed, now)
	if err != nil {
		return "", err
	}
	files, err := app.OpenFiles(ctx, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	scope := operator(org)
	for _, m := range motions {
		m.Expires = now.Add(upload.Window)
		place, err := s.Reserve(ctx, scope, m.Reservation, nil)
		if err != nil {
			return "", err
		}
		id, name, sum := place.Capture.SessionID, upload.OriginalName(org.String()), sha256.Sum256(m.File)
		if err := s.Expect(ctx, scope, id, name, place.Expires); err != nil {
			return "", err
		}
		size, err := files.Put(ctx, name, bytes.NewReader(m.File), int64(len(m.File)))
		if err != nil {
			return "", err
		}
		if err := s.Arrive(ctx, scope, id, name, size, hex.EncodeToString(sum[:])); err != nil {
			return "", err
		}
		if first == "" {
			first = id
		}
	}
	return first, nil
}

// firstRead waits until the workers have read the first motion file, so that what
// is printed works at once. That takes a moment; a machine on which it does not is
// not waited for.
func firstRead(ctx context.Context, s *store.Store, made sample) error {
	patience, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		stored, err := s.Stored(ctx, organization.In(made.Organization), made.Capture)
		if ctx.Err() != nil { // the server is about to say that it stops
			return nil
		}
		if err != nil || stored.Capture.Status != capture.Processing {
			return err
		}
		select {
		case <-patience.Done():
			return nil
		case <-again.C:
		}
	}
}

// write writes the motion files into a folder.
func (c *demoCmd) write(w *World) error {
	if c.Data != "" || c.Listen != nil || c.Env != "" || c.JSON {
		return usage("--files serves nothing, and goes with --seed alone")
	}
	files, err := demo.Files(c.Seed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Files, 0o755); err != nil {
		return fmt.Errorf("the folder cannot be made: %w", err)
	}
	found, err := os.ReadDir(c.Files)
	switch {
	case err != nil:
		return fmt.Errorf("the folder cannot be read: %w", err)
	case len(found) > 0:
		return fmt.Errorf("the folder %s is not empty, and what is in it could be overwritten: name another", c.Files)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(c.Files, f.Name), f.Data, 0o644); err != nil {
			return fmt.Errorf("a file cannot be written: %w", err)
		}
	}
	return w.say(`%d motion files of people who do not exist, and kinebase.csv, which says what they show, are in %s.

To import them: kinebase import --org ID %s`, len(files)-1, c.Files, c.Files)
}
