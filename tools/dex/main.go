// The program dex is the provider of the tests that sign in by Dex: a Dex whose state is in memory, with the people
// and clients that it is told of.
//
//	dex < SETTINGS
//
// The settings are one JSON value (see settings). It takes connections from the listening socket that its parent
// gives as file descriptor 3, and ends when its input does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/session"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/server/tokens"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"golang.org/x/crypto/bcrypt"
)

// settings are what a test tells of its provider.
type settings struct {
	Issuer    string
	Connector string // the id of the connector that knows the people
	Clients   []storage.Client
	People    []person
}

// person is somebody who can sign in by e-mail address and password.
type person struct {
	Email, Password, ID, Name string
	Groups                    []string
}

const day = 24 * time.Hour

func main() {
	if err := serve(context.Background(), os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "dex:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, input io.Reader) error {
	var s settings
	told := json.NewDecoder(input)
	if err := told.Decode(&s); err != nil {
		return err
	}
	handler, err := provider(ctx, s)
	if err != nil {
		return err
	}
	connections, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, input) // ends when the parent does
		os.Exit(0)
	}()
	return (&http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}).Serve(connections)
}

// provider is a Dex with sessions, so that it tells its clients when somebody signs out.
func provider(ctx context.Context, s settings) (http.Handler, error) {
	if err := os.Setenv("DEX_SESSIONS_ENABLED", "true"); err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	people := make([]storage.Password, len(s.People))
	for i, p := range s.People {
		hash, err := bcrypt.GenerateFromPassword([]byte(p.Password), bcrypt.DefaultCost)
		if err != nil {
			return nil, err
		}
		people[i] = storage.Password{Email: p.Email, Hash: hash, Username: p.Name, UserID: p.ID, Groups: p.Groups}
	}
	store := storage.WithStaticConnectors(storage.WithStaticPasswords(storage.WithStaticClients(memory.New(log),
		s.Clients), people, log), []storage.Connector{{ID: s.Connector, Name: s.Connector, Type: "local"}})
	keys := signer.LocalConfig{KeysRotationPeriod: "6h"}
	signs, err := keys.Open(ctx, store, day, time.Now, log)
	if err != nil {
		return nil, err
	}
	return server.NewServer(ctx, server.Config{
		Issuer: s.Issuer, Storage: store, Signer: signs, SkipApprovalScreen: true, PasswordConnector: s.Connector,
		RefreshTokenPolicy: tokens.NewRefreshStrategy(true, day, day, 0, time.Now), Logger: log,
		SessionConfig: &session.Config{CookieName: "dex", AbsoluteLifetime: day, ValidIfNotUsedFor: day},
	})
}
