-- +goose Up
-- Sessions of people that have ended before their time. key is a hash, which says nothing about anybody; what it names
-- ended if it began at or before a moment. That is 0 for what is noted alone: sign-ins that were finished, and sessions at
-- a provider that somebody has signed in by.
CREATE TABLE ended (
    key       BLOB NOT NULL PRIMARY KEY,
    upto      INTEGER NOT NULL,
    forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ended_forget ON ended (forget_at);
