package db

import "github.com/kinebase/kinebase/organization"

// ID is an id as arguments and columns have it.
type ID = organization.ID
