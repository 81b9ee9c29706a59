package db

import (
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Apart opens a connection that reads whatever there is.
func (e *SQLite) Apart() (*sql.DB, error) {
	db, err := openMapped(e.mapping,
		"&_pragma=busy_timeout(10000)&_pragma=query_only(on)&_pragma=cache_size(-4096)&_pragma=temp_store(memory)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// Apart opens a connection that reads whatever there is.
func (e *Postgres) Apart() (*sql.DB, error) {
	c, err := pgx.ParseConfig(e.url)
	if err != nil {
		return nil, errURL
	}
	c.RuntimeParams["application_name"] = "kinebase-backup"
	c.RuntimeParams["timezone"] = "UTC"
	bound(c)
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(1)
	return db, nil
}
