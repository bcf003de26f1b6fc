/**
 * The tables of an account's Durable Object. Each entry is one version. Never change or remove an entry. A new entry
 * may only add tables, columns and indexes, because the code of the version before must run on them after a rollback.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- One row: the account, its limits as the directory last said, and its credits.
  CREATE TABLE account (
    one                INTEGER PRIMARY KEY CHECK (one = 1),
    id                 TEXT NOT NULL,
    tag                TEXT NOT NULL,
    object             TEXT NOT NULL,
    jurisdiction       TEXT,
    created_at         INTEGER NOT NULL,
    version            INTEGER NOT NULL, -- of these settings in the directory
    plan               TEXT NOT NULL,
    monthly_credits    INTEGER NOT NULL,
    suspended_at       INTEGER,
    concurrent_jobs    INTEGER NOT NULL,
    concurrent_renders INTEGER NOT NULL,
    grants_enabled     INTEGER NOT NULL,
    -- Credits that weren't spent, with those that unfinished jobs have reserved.
    funds              INTEGER NOT NULL DEFAULT 0 CHECK (funds >= 0),
    granted            INTEGER NOT NULL DEFAULT 0, -- in this period
    used               INTEGER NOT NULL DEFAULT 0, -- charged in this period
    period_start       INTEGER NOT NULL,
    next_grant_at      INTEGER NOT NULL,
    -- When retention, the archive and the summary are due. NULL: nothing is.
    maintenance_at     INTEGER,
    -- Jobs of each mode whose ids are below have expired.
    expired_live       TEXT NOT NULL DEFAULT '',
    expired_test       TEXT NOT NULL DEFAULT '',
    -- YYYY-MM-DD, UTC. Jobs of the days before were moved to R2: lists leave them out, and their rows are being deleted.
    archived_before    TEXT NOT NULL DEFAULT ''
  ) STRICT;

  -- Grants, expiries and adjustments, append-only. A job's own row is the entry for its charge.
  CREATE TABLE ledger (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('grant', 'expiry', 'adjustment')),
    key        TEXT NOT NULL UNIQUE, -- makes a repeated call do nothing
    amount     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  -- One row per request: the truth about it. Rows stay narrow, because lists read many of them.
  CREATE TABLE jobs (
    mode         TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    id           TEXT NOT NULL,     -- UUIDv7 that ends with the account's tag
    key_id       TEXT NOT NULL,
    endpoint     TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    waits        INTEGER NOT NULL,  -- 1: queued without a slot. 0: dispatched, leased or ended
    subject      TEXT,              -- the URL or the query
    request      TEXT,              -- the validated body up to 2 KB. NULL: in payloads, or else in R2
    rendered     INTEGER NOT NULL,
    waiting      INTEGER NOT NULL,  -- 1: a caller waits for the result
    webhook_url  TEXT,
    origin       TEXT NOT NULL,
    credits      INTEGER NOT NULL,  -- the price, reserved until the job ends
    created_at   INTEGER NOT NULL,
    run          INTEGER NOT NULL DEFAULT 0,
    attempts     INTEGER NOT NULL DEFAULT 0,
    token        TEXT,              -- of the consumer that has claimed the job
    lease_until  INTEGER,
    due_at       INTEGER,           -- when the alarm looks at the job. NULL: waits for a slot, or ended
    resends      INTEGER NOT NULL DEFAULT 0,
    no_capacity_since INTEGER,
    result_in    TEXT CHECK (result_in IN ('payload', 'r2')),
    meta         TEXT,              -- JSON: what the endpoint adds, without evidence
    credits_used INTEGER NOT NULL DEFAULT 0,
    outcome      TEXT,              -- what kind of page it was; NULL unless completed
    code         TEXT,              -- the error's
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
    evidence TEXT, -- JSON: the members of meta that lists leave out
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

  -- Ended jobs by the day of their ids.
  CREATE TABLE usage (
    mode      TEXT NOT NULL,
    date      TEXT NOT NULL, -- YYYY-MM-DD, UTC
    key_id    TEXT NOT NULL,
    endpoint  TEXT NOT NULL,
    code      TEXT NOT NULL, -- the outcome of a completed job, such as ok, or the error's code
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
    previous_secret     TEXT, -- encrypted. Signs next to the new one until it expires
    previous_expires_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- One row per event that is sent to a receiver. The stage of a pending delivery: 'scheduled' until due_at, 'waiting' for the
  -- limits of sending, or 'sending' from the attempt's message on.
  CREATE TABLE deliveries (
    mode             TEXT NOT NULL,
    id               TEXT NOT NULL, -- the job's id. A test event has one of its own
    job_id           TEXT,          -- NULL: a test event
    event            TEXT NOT NULL,
    url              TEXT NOT NULL,
    host             TEXT NOT NULL, -- of the URL, for the limit per receiver
    origin           TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'abandoned')),
    stage            TEXT CHECK (stage IN ('scheduled', 'waiting', 'sending')), -- NULL once the delivery has ended
    round            INTEGER NOT NULL DEFAULT 1, -- raised by each redelivery
    attempt          INTEGER NOT NULL DEFAULT 0, -- the number of the round's last attempt
    token            TEXT,          -- of the Worker that makes the attempt. NULL: its message is on the way
    begun_at         INTEGER,       -- when that Worker began
    resends          INTEGER NOT NULL DEFAULT 0, -- of the attempt's message
    unprepared_since INTEGER,       -- since when the event can't be prepared
    postponements    INTEGER NOT NULL DEFAULT 0, -- since then
    attempts         TEXT NOT NULL DEFAULT '[]', -- JSON, of this round
    earlier_attempts TEXT NOT NULL DEFAULT '[]', -- JSON, of the rounds before
    next_attempt_at  INTEGER,       -- while pending
    due_at           INTEGER,       -- when the alarm looks at the delivery. NULL once it has ended
    created_at       INTEGER NOT NULL,
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX deliveries_scheduled ON deliveries (due_at) WHERE stage = 'scheduled';
  CREATE INDEX deliveries_waiting ON deliveries (host, next_attempt_at) WHERE stage = 'waiting';
  CREATE INDEX deliveries_sending ON deliveries (host) WHERE stage = 'sending';
  CREATE INDEX deliveries_abandoned ON deliveries (mode, id) WHERE status = 'abandoned';

  -- Receivers that didn't answer in time when they were last asked.
  CREATE TABLE slow_receivers (
    host         TEXT PRIMARY KEY,
    timeouts     INTEGER NOT NULL, -- in a row
    timed_out_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Files in R2 that hold the jobs of days before archived_before, or of the day that is being archived.
  CREATE TABLE archives (
    mode     TEXT NOT NULL,
    date     TEXT NOT NULL, -- YYYY-MM-DD, UTC
    part     INTEGER NOT NULL,
    first_id TEXT NOT NULL,
    last_id  TEXT NOT NULL,
    jobs     INTEGER NOT NULL,
    expired  INTEGER NOT NULL, -- 1: nothing but the jobs' rows is kept
    PRIMARY KEY (mode, last_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX archives_unexpired ON archives (last_id) WHERE expired = 0;
  `,
];
