-- +goose Up
CREATE TABLE export_reason (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    reason       TEXT NOT NULL,
    captures     INTEGER NOT NULL,
    PRIMARY KEY (organization, job, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO export_reason (organization, job, reason, captures)
SELECT organization, job, reason, count(*) FROM export_skip GROUP BY organization, job, reason;
