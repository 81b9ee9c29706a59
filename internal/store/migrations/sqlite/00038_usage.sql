-- +goose Up
-- The most that an organization had on a day (UTC, days since 1970), as often as a server looked. A day on which no
-- server looked has no row.
CREATE TABLE usage_day (
    organization BLOB NOT NULL,
    day          INTEGER NOT NULL,
    captures     INTEGER NOT NULL,
    athletes     INTEGER NOT NULL,
    file_bytes   INTEGER NOT NULL,
    export_bytes INTEGER NOT NULL,
    PRIMARY KEY (organization, day)
) STRICT, WITHOUT ROWID;
