-- +goose Up
CREATE TABLE organization (
    id         UUID NOT NULL PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE TABLE token_index (
    hash         BYTEA NOT NULL PRIMARY KEY,
    organization UUID NOT NULL,
    token        UUID NOT NULL
);
CREATE UNIQUE INDEX token_index_token ON token_index (token);

CREATE TABLE token (
    organization UUID NOT NULL REFERENCES organization (id),
    id           UUID NOT NULL,
    hash         BYTEA NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    permissions  TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    life         BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT,
    PRIMARY KEY (organization, id)
);

CREATE TABLE athlete (
    organization      UUID NOT NULL REFERENCES organization (id),
    id                UUID NOT NULL,
    first_name        TEXT COLLATE "C" NOT NULL,
    last_name         TEXT COLLATE "C" NOT NULL,
    date_of_birth     BIGINT,
    email             TEXT COLLATE "C" NOT NULL,
    phone             TEXT COLLATE "C" NOT NULL,
    gender            TEXT COLLATE "C" NOT NULL,
    dominant_arm      TEXT COLLATE "C" NOT NULL,
    dominant_leg      TEXT COLLATE "C" NOT NULL,
    activity          TEXT COLLATE "C" NOT NULL,
    positions         TEXT COLLATE "C" NOT NULL,
    competition_level TEXT COLLATE "C" NOT NULL,
    height            BIGINT NOT NULL,
    weight            BIGINT NOT NULL,
    custom_attributes TEXT COLLATE "C" NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    version           BIGINT NOT NULL,
    first_key         TEXT COLLATE "C" NOT NULL,
    last_key          TEXT COLLATE "C" NOT NULL,
    born_key          BIGINT NOT NULL,
    search_key        TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, id)
);
CREATE INDEX athlete_name ON athlete (organization, last_key, first_key, id);
CREATE INDEX athlete_first ON athlete (organization, first_key, id);
CREATE INDEX athlete_born ON athlete (organization, born_key, id);
CREATE INDEX athlete_created ON athlete (organization, created_at, id);

CREATE TABLE athlete_attribute (
    organization UUID NOT NULL,
    athlete      UUID NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    value_hash   BYTEA NOT NULL,
    PRIMARY KEY (organization, athlete, name)
);
CREATE INDEX athlete_attribute_value ON athlete_attribute (organization, name, value_hash, athlete);

CREATE TABLE combination (
    organization UUID NOT NULL,
    id           BIGINT NOT NULL,
    source       TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    activity     TEXT COLLATE "C" NOT NULL,
    movement     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, id)
);
CREATE UNIQUE INDEX combination_labels ON combination (organization, activity, movement, status, source);

CREATE TABLE capture (
    organization UUID NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    sort_time    BIGINT NOT NULL,
    combination  BIGINT NOT NULL,
    source       TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    activity     TEXT COLLATE "C",
    movement     TEXT COLLATE "C",
    dimensions   TEXT COLLATE "C" NOT NULL,
    error        TEXT COLLATE "C",
    fps          DOUBLE PRECISION,
    version      BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, session_id)
);

CREATE TABLE capture_row (
    organization UUID NOT NULL,
    sort_time    BIGINT NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    athlete      UUID NOT NULL,
    place        BIGINT NOT NULL,
    combination  BIGINT NOT NULL,
    body         BYTEA NOT NULL,
    PRIMARY KEY (organization, sort_time, session_id, athlete)
);
CREATE INDEX capture_row_combination ON capture_row (organization, combination, sort_time, session_id, athlete);
CREATE INDEX capture_row_athlete ON capture_row (organization, athlete, sort_time, session_id, combination);

CREATE TABLE list (
    organization UUID NOT NULL,
    athlete      UUID NOT NULL,
    born         BIGINT NOT NULL,
    generation   BIGINT NOT NULL,
    changes      BIGINT NOT NULL,
    PRIMARY KEY (organization, athlete)
);

CREATE TABLE list_block (
    organization UUID NOT NULL,
    athlete      UUID NOT NULL,
    id           BIGINT NOT NULL,
    generation   BIGINT NOT NULL,
    sort_time    BIGINT NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    counts       BYTEA NOT NULL,
    PRIMARY KEY (organization, athlete, id)
);
CREATE INDEX list_block_generation ON list_block (organization, athlete, generation);

CREATE TABLE list_delta (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    changes      BYTEA NOT NULL,
    PRIMARY KEY (organization, id)
);

CREATE TABLE export_job (
    organization  UUID NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    status        TEXT COLLATE "C" NOT NULL,
    error_message TEXT COLLATE "C" NOT NULL,
    created_at    BIGINT NOT NULL,
    completed_at  BIGINT,
    PRIMARY KEY (organization, id)
);

CREATE TABLE idempotency (
    organization UUID NOT NULL,
    key          BYTEA NOT NULL,
    body         BYTEA NOT NULL,
    answer       BYTEA,
    subject      UUID,
    expires_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, key)
);
CREATE INDEX idempotency_subject ON idempotency (organization, subject);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

-- The second wall: whatever the application asks for, only rows of the organization
-- named in app.org are there. organization and token_index stand outside it.
ALTER TABLE token ENABLE ROW LEVEL SECURITY;
ALTER TABLE token FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON token USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE athlete ENABLE ROW LEVEL SECURITY;
ALTER TABLE athlete FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON athlete USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE athlete_attribute ENABLE ROW LEVEL SECURITY;
ALTER TABLE athlete_attribute FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON athlete_attribute USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE combination ENABLE ROW LEVEL SECURITY;
ALTER TABLE combination FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON combination USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE capture ENABLE ROW LEVEL SECURITY;
ALTER TABLE capture FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON capture USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE capture_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE capture_row FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON capture_row USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE list ENABLE ROW LEVEL SECURITY;
ALTER TABLE list FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON list USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE list_block ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_block FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON list_block USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE list_delta ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_delta FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON list_delta USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_job FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_job USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);

-- Changes live for a quarter of a second: they must be swept as quickly.
ALTER TABLE list_delta SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE list_block SET (autovacuum_vacuum_scale_factor = 0.2, fillfactor = 70);
