-- +goose Up
CREATE TABLE latest_moment (
    one    bigint NOT NULL PRIMARY KEY CHECK (one = 1),
    moment bigint NOT NULL
);
