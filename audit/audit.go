// Package audit is the record of who did what. The transaction that changes something writes the entry about it.
// Entries name people by id alone.
package audit

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// Keep is how long entries are kept unless the operator says otherwise.
const Keep = 400 * 24 * time.Hour

// Actor is who did it.
type Actor struct {
	Kind string `json:"kind"` // one of the kinds below
	ID   string `json:"id"`
	Name string `json:"name"` // that the operator gave it; of a person the subject, which is an id of the provider
}

// The kinds of actors.
const (
	Token   = "token"   // of the interface
	Person  = "person"  // by a token or session of the configured OpenID provider
	Command = "command" // of the operator
	System  = "system"  // the server itself, for somebody who has no token
)

// OrgDelete is the command that erases an organization. Its entry is the only thing that stays of one.
const OrgDelete = "org delete"

// Object is what it was done to; its parts are "" where nothing can be named.
type Object struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// Entry is what was done.
type Entry struct {
	ID        string    `json:"id"`
	At        time.Time `json:"at"`
	Actor     Actor     `json:"actor"`
	Action    string    `json:"action"` // the operation's id in the interface document, or the command
	Object    Object    `json:"object"`
	Status    int       `json:"status"`
	RequestID string    `json:"request_id"`
	Address   string    `json:"address"`
}

// Query asks for entries.
type Query struct {
	After                 int64 // a position; 0: from the beginning, or with Newest from the end
	Newest                bool  // entries come newest first
	Limit                 int
	Actor, Object, Action string     // ids and an action; "" for any
	From, To              *time.Time // half open
}

// Page is a part of the record, in the order that was asked for.
type Page struct {
	Entries []Entry
	Next    int64 // the position to go on from
	More    bool
}

// Log keeps the record.
type Log interface {
	// Audit gives a page. Nothing is passed over: an entry that was written before a page is asked for
	// is in that page or a later one. A position that the store has never given is a fault.Gone.
	Audit(ctx context.Context, s organization.Scope, q Query) (Page, error)
	// Record writes an entry about what has changed nothing: what was read, or refused.
	Record(ctx context.Context, s organization.Scope, e Entry) error
}

type key struct{}

// With has the first transaction that is committed under the context write the entry. An id is made where it
// has none; whatever else is committed under the context is part of the same act.
func With(ctx context.Context, e Entry) context.Context {
	if e.ID == "" {
		e.ID = organization.NewUUID()
	}
	return context.WithValue(ctx, key{}, &e)
}

// Without has nothing written, for what prepares an act.
func Without(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, (*Entry)(nil))
}

// From gives the entry that is to be written; nil for none.
func From(ctx context.Context) *Entry {
	e, _ := ctx.Value(key{}).(*Entry)
	return e
}
