// Package storetest gives tests stores that need no migration any more. It is a package of
// its own beside testkit because the store's tests, which stand below it, use testkit too.
package storetest

import (
	"context"

	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
)

// Empty is a store of the newest version in which there is nothing.
var Empty = testkit.Template{Prepare: func(folder, url string) error {
	s, err := store.Open(context.Background(), store.Options{Data: folder, DatabaseURL: url})
	if err != nil {
		return err
	}
	return s.Close()
}}
