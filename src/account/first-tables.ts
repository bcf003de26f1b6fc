/** The first version of the tables of an account's Durable Object. migrations.ts has the later versions. */
export const FIRST_TABLES = `
  -- A single row with the account, its settings from the directory, and its credits.
  CREATE TABLE account (
    one                INTEGER PRIMARY KEY CHECK (one = 1),
    id                 TEXT NOT NULL,
    tag                TEXT NOT NULL,
    object             TEXT NOT NULL,
    jurisdiction       TEXT,
    created_at         INTEGER NOT NULL,
    version            INTEGER NOT NULL, -- the version of these settings in the directory
    plan               TEXT NOT NULL,
    monthly_credits    INTEGER NOT NULL,
    suspended_at       INTEGER,
    concurrent_jobs    INTEGER NOT NULL,
    concurrent_renders INTEGER NOT NULL,
    grants_enabled     INTEGER NOT NULL,
    -- Unspent credits, including the credits that unfinished jobs have reserved.
    funds              INTEGER NOT NULL DEFAULT 0 CHECK (funds >= 0),
    granted            INTEGER NOT NULL DEFAULT 0, -- credits granted in this period
    used               INTEGER NOT NULL DEFAULT 0, -- credits charged in this period
    period_start       INTEGER NOT NULL,
    next_grant_at      INTEGER NOT NULL,
    -- When maintenance (retention, archiving, summary) is due. NULL: no maintenance is due.
    maintenance_at     INTEGER,
    -- All jobs of the mode with a lower id have expired: retention has deleted their requests and results.
    expired_live       TEXT NOT NULL DEFAULT '',
    expired_test       TEXT NOT NULL DEFAULT '',
    -- YYYY-MM-DD, UTC. Jobs of earlier days are archived in R2. Lists omit them, and their rows are deleted.
    archived_before    TEXT NOT NULL DEFAULT ''
  ) STRICT;

  -- The ledger of grants, expiries and adjustments. It is append-only. The charge of a job is in the job's row.
  CREATE TABLE ledger (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('grant', 'expiry', 'adjustment')),
    key        TEXT NOT NULL UNIQUE, -- a repeated call with the same key has no effect
    amount     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  -- One row per job. Large fields are in the table payloads, because lists read many rows of this table.
  CREATE TABLE jobs (
    mode         TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    id           TEXT NOT NULL,     -- UUIDv7 that ends with the account's tag
    key_id       TEXT NOT NULL,
    endpoint     TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    waits        INTEGER NOT NULL,  -- 1: queued and waiting for a slot. 0: dispatched, leased or ended
    subject      TEXT,              -- the URL or the query
    request      TEXT,              -- the validated body up to 2 KB. NULL: stored in payloads or R2
    rendered     INTEGER NOT NULL,
    waiting      INTEGER NOT NULL,  -- 1: a caller waits for the result
    webhook_url  TEXT,
    origin       TEXT NOT NULL,
    credits      INTEGER NOT NULL,  -- the price, reserved until the job ends
    created_at   INTEGER NOT NULL,
    run          INTEGER NOT NULL DEFAULT 0,
    attempts     INTEGER NOT NULL DEFAULT 0,
    token        TEXT,              -- identifies the consumer that has claimed the job
    lease_until  INTEGER,
    due_at       INTEGER,           -- when the alarm must check the job. NULL: waits for a slot, or ended
    resends      INTEGER NOT NULL DEFAULT 0,
    no_capacity_since INTEGER,
    result_in    TEXT CHECK (result_in IN ('payload', 'r2')),
    meta         TEXT,              -- JSON: the endpoint's members of meta, without evidence
    credits_used INTEGER NOT NULL DEFAULT 0,
    outcome      TEXT,              -- the page type, such as ok. NULL unless completed
    code         TEXT,              -- the error code
    error        TEXT,              -- JSON: message, status, retryable
    processing_time_ms INTEGER,
    ended_at     INTEGER,
    expired      INTEGER NOT NULL DEFAULT 0,
    batch_id     TEXT,
    metadata     TEXT,
    receipt      TEXT,
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX jobs_by_key ON jobs (mode, key_id, id);
  CREATE INDEX jobs_by_endpoint ON jobs (mode, endpoint, id);
  CREATE INDEX jobs_failed ON jobs (mode, id) WHERE code IS NOT NULL;
  CREATE INDEX jobs_by_code ON jobs (mode, code, id) WHERE code IS NOT NULL;
  CREATE INDEX jobs_by_outcome ON jobs (mode, outcome, id) WHERE outcome <> 'ok';
  CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_waiting ON jobs (rendered, waiting, id) WHERE waits = 1;

  -- The large fields of a job.
  CREATE TABLE payloads (
    mode     TEXT NOT NULL,
    id       TEXT NOT NULL,
    request  TEXT,
    result   TEXT,
    evidence TEXT, -- JSON: the members of meta that lists omit
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE idempotency_keys (
    mode       TEXT NOT NULL,
    endpoint   TEXT NOT NULL,
    key        TEXT NOT NULL,
    body_hash  TEXT NOT NULL,
    job_id     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (mode, endpoint, key)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

  -- The numbers of ended jobs. A job counts for the day of its id.
  CREATE TABLE usage (
    mode      TEXT NOT NULL,
    date      TEXT NOT NULL, -- YYYY-MM-DD, UTC
    key_id    TEXT NOT NULL,
    endpoint  TEXT NOT NULL,
    code      TEXT NOT NULL, -- the outcome of a completed job, such as ok, or the error code of a failed one
    failed    INTEGER NOT NULL,
    requests  INTEGER NOT NULL,
    credits   INTEGER NOT NULL,
    durations TEXT NOT NULL, -- JSON: the number of jobs by bucket of a histogram
    PRIMARY KEY (mode, date, key_id, endpoint, code)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE webhooks (
    mode                TEXT PRIMARY KEY,
    url                 TEXT,
    secret              TEXT, -- encrypted (AES-GCM). NULL until it is first needed
    previous_secret     TEXT, -- encrypted. Also signs deliveries until it expires
    previous_expires_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- One row per event that is sent to a receiver. A pending delivery has a stage. 'scheduled': its next attempt starts
  -- at due_at. 'waiting': the send limits don't allow an attempt yet. 'sending': the message of its attempt was sent.
  CREATE TABLE deliveries (
    mode             TEXT NOT NULL,
    id               TEXT NOT NULL, -- the job's id, or a new id for a test event
    job_id           TEXT,          -- NULL for a test event
    event            TEXT NOT NULL,
    url              TEXT NOT NULL,
    host             TEXT NOT NULL, -- the host of the URL, for the limit per receiver
    origin           TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'abandoned')),
    stage            TEXT CHECK (stage IN ('scheduled', 'waiting', 'sending')), -- NULL once the delivery has ended
    round            INTEGER NOT NULL DEFAULT 1, -- incremented by each redelivery
    attempt          INTEGER NOT NULL DEFAULT 0, -- the number of the round's last attempt
    token            TEXT,          -- identifies the Worker that started the attempt. NULL: no Worker has started it
    begun_at         INTEGER,       -- when the Worker started the attempt
    resends          INTEGER NOT NULL DEFAULT 0, -- how often the attempt's message was sent again
    unprepared_since INTEGER,       -- when preparing the event first failed. NULL: it didn't fail
    postponements    INTEGER NOT NULL DEFAULT 0, -- the number of failures to prepare the event since then
    attempts         TEXT NOT NULL DEFAULT '[]', -- JSON: the attempts of this round
    earlier_attempts TEXT NOT NULL DEFAULT '[]', -- JSON: the attempts of earlier rounds
    next_attempt_at  INTEGER,       -- NULL once the delivery has ended
    due_at           INTEGER,       -- when the alarm must check the delivery. NULL while waiting or ended
    created_at       INTEGER NOT NULL,
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX deliveries_scheduled ON deliveries (due_at) WHERE stage = 'scheduled';
  CREATE INDEX deliveries_waiting ON deliveries (host, next_attempt_at) WHERE stage = 'waiting';
  CREATE INDEX deliveries_sending ON deliveries (host) WHERE stage = 'sending';
  CREATE INDEX deliveries_abandoned ON deliveries (mode, id) WHERE status = 'abandoned';

  -- The receivers whose last request timed out.
  CREATE TABLE slow_receivers (
    host         TEXT PRIMARY KEY,
    timeouts     INTEGER NOT NULL, -- the number of timeouts in a row
    timed_out_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The archive files in R2. They contain the jobs of days before archived_before and of the day that is being
  -- archived.
  CREATE TABLE archives (
    mode     TEXT NOT NULL,
    date     TEXT NOT NULL, -- YYYY-MM-DD, UTC
    part     INTEGER NOT NULL,
    first_id TEXT NOT NULL,
    last_id  TEXT NOT NULL,
    jobs     INTEGER NOT NULL,
    expired  INTEGER NOT NULL, -- 1: retention has deleted the requests and results
    PRIMARY KEY (mode, last_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX archives_unexpired ON archives (last_id) WHERE expired = 0;
`;
