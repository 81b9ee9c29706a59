package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/sending"
	"github.com/kinebase/kinebase/organization"
)

// elsewhereFlags name a server that an import is sent to. There is no flag for the token itself: other people on the
// machine see what stands on a command line.
type elsewhereFlags struct {
	To        string `name:"to" placeholder:"URL" help:"Send to a server elsewhere, such as https://motion.example.org/v1."`
	TokenFile string `name:"token-file" placeholder:"FILE" help:"The file that has the token for --to, which needs the role editor (else KINEBASE_TOKEN)."`
}

// sentAtOnce is how many files are sent side by side when nothing is said.
const sentAtOnce = 4

// judge refuses a token without a server.
func (f elsewhereFlags) judge() error {
	if f.To == "" && f.TokenFile != "" {
		return usage("--token-file is for --to, a server elsewhere, and --to is missing or empty")
	}
	return nil
}

// send imports into a server elsewhere.
func (c *importCmd) send(ctx context.Context, w *World, labels capture.Capture) error {
	if c.Org != "" || c.Data != nil || c.DatabaseURL != nil {
		return usage("--to is for a server elsewhere: --org, --data and --database-url are for a store here, and the " +
			"token says which organization is meant")
	}
	token, err := c.token(w)
	if err != nil {
		return err
	}
	to, err := w.server(c.To, token)
	if err != nil {
		return err
	}
	server := sending.To(to, sending.WithNotice(func(err error) {
		_, _ = fmt.Fprintf(w.Err, "The server is not reached, and tried again for ten minutes: %v\n", err)
	}))
	im := intake.Import{Store: server}
	if anyFolder(c.Paths) {
		labels.AthleteIDs, err = intake.FindAthletes(ctx, server, organization.Scope{}, c.Athlete...)
		var nobody *fault.Error
		if errors.As(err, &nobody) && nobody.Code == fault.BadRequest {
			return errors.New("--athlete " + nobody.Message)
		}
		if err != nil {
			return serverError(err)
		}
		im.Folders = &intake.Folders{Elsewhere: server, Defaults: labels, Workers: c.Workers}
		if c.Workers == 0 {
			im.Folders.Workers = sentAtOnce
		}
	}
	return c.bring(ctx, w, im)
}

// token reads the token from its file, or else from the environment.
func (c *importCmd) token(w *World) (string, error) {
	if c.TokenFile == "" {
		token, _ := w.Env("KINEBASE_TOKEN")
		if token == "" {
			return "", usage("no token is given: set KINEBASE_TOKEN, or name the file that has it with --token-file")
		}
		return token, nil
	}
	text, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return "", errors.New("the token cannot be read: " + err.Error())
	}
	if token := strings.TrimSpace(string(text)); token != "" && !strings.ContainsAny(token, " \t\r\n") {
		return token, nil
	}
	return "", errors.New("the token cannot be read: " + c.TokenFile + " must have one word, the token")
}
