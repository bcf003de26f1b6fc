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
  daily_credits      INTEGER,          -- the credits that the account may spend in a day (UTC). NULL: no limit
  suspended_at       INTEGER,
  concurrent_jobs    INTEGER NOT NULL,
  concurrent_renders INTEGER NOT NULL,
  grants_enabled     INTEGER NOT NULL,
  -- 1: the account pays for pages whose outcome would make them free.
  charge_free_outcomes INTEGER NOT NULL,
  -- 1: jobs keep the pages that they load as captures, unless their requests have another setting.
  keep_captures      INTEGER NOT NULL DEFAULT 0,
  -- Unspent credits, including the credits that unfinished jobs have reserved.
  funds              INTEGER NOT NULL DEFAULT 0 CHECK (funds >= 0),
  granted            INTEGER NOT NULL DEFAULT 0, -- credits granted in this period
  -- The credits that operators have added in this period, minus the credits that they have removed.
  added              INTEGER NOT NULL DEFAULT 0,
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
  -- 1: the request has store: false. The request is deleted when the job ends, and the result after it was read.
  temporary    INTEGER NOT NULL DEFAULT 0,
  -- The X-Request-Id of the request that created the job. It has no index: the id contains the time of the request, so
  -- only the jobs of the next minutes are read. NULL: the job is a page of a batch.
  request_id   TEXT,
  rendered     INTEGER NOT NULL,
  waiting      INTEGER NOT NULL,  -- 1: a caller waits for the result
  -- The origin of webhook_url. 'default': the account's URL. 'request': the job's request. NULL: there is no URL.
  webhook_endpoint_id TEXT,
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
  credits_used INTEGER NOT NULL DEFAULT 0,
  outcome      TEXT,              -- the page type, such as ok. NULL unless completed
  code         TEXT,              -- the error code
  processing_time_ms INTEGER,
  ended_at     INTEGER,
  expired      INTEGER NOT NULL DEFAULT 0,
  batch_id     TEXT,
  page         INTEGER,           -- the number of the page in its batch
  -- The large columns come last, so that SQLite reads the others without them.
  subject      TEXT,              -- the URL or the query
  metadata     TEXT,              -- the labels: see labels.ts
  receipt      TEXT NOT NULL,     -- JSON: see receipts.ts
  meta         TEXT,              -- JSON: the endpoint's members of meta, without evidence
  error        TEXT,              -- JSON: message, status, retryable
  webhook_url  TEXT,
  secrets      TEXT,              -- its encrypted secrets (AES-GCM). NULL: there are none, or the job has ended
  request      TEXT,              -- the validated body up to 2 KB. NULL: stored in payloads or R2
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_key ON jobs (mode, key_id, id);
CREATE INDEX jobs_by_endpoint ON jobs (mode, endpoint, id);
-- Contains the code, so that SQLite counts the failed jobs without reading their rows.
CREATE INDEX jobs_failed ON jobs (mode, id, code) WHERE code IS NOT NULL;
CREATE INDEX jobs_by_code ON jobs (mode, code, id) WHERE code IS NOT NULL;
CREATE INDEX jobs_by_outcome ON jobs (mode, outcome, id) WHERE outcome <> 'ok';
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_waiting ON jobs (rendered, waiting, id) WHERE waits = 1;
CREATE INDEX jobs_by_batch ON jobs (mode, batch_id, id) WHERE batch_id IS NOT NULL;
-- Lists that filter by labels read only the jobs with labels.
CREATE INDEX jobs_labeled ON jobs (mode, id) WHERE metadata IS NOT NULL;

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
  -- JSON: the number of jobs that ended in the last hour, by period and duration. See recent-counts.ts. NULL: none.
  recent    TEXT,
  PRIMARY KEY (mode, date, key_id, endpoint, code)
) STRICT, WITHOUT ROWID;

-- The webhook endpoints. The endpoint 'default' has the account's URL.
CREATE TABLE webhooks (
  mode                TEXT NOT NULL,
  id                  TEXT NOT NULL,
  url                 TEXT,    -- NULL: the account has no URL
  events              TEXT,    -- a JSON list of the events that are sent to the URL. NULL: the events of jobs
  secret              TEXT,    -- encrypted (AES-GCM). NULL until the secret of the account's URL is first needed
  previous_secret     TEXT,    -- encrypted. Also signs deliveries until it expires
  previous_expires_at INTEGER,
  created_at          INTEGER, -- NULL for the endpoint 'default'
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

-- One row per event that is sent to a receiver. A pending delivery has a stage. 'scheduled': its next attempt starts
-- at due_at. 'waiting': the send limits don't allow an attempt yet. 'sending': the message of its attempt was sent.
CREATE TABLE deliveries (
  mode             TEXT NOT NULL,
  id               TEXT NOT NULL, -- the job's id, or a new id for a test event
  job_id           TEXT,          -- NULL for a test event
  event            TEXT NOT NULL,
  endpoint_id      TEXT NOT NULL, -- the endpoint of the URL, or 'request' for the URL of a job's request
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
  next_attempt_at  INTEGER,       -- the earliest time of the next attempt. NULL once the delivery has ended
  due_at           INTEGER,       -- when the alarm must check the delivery. NULL while waiting or ended
  created_at       INTEGER NOT NULL,
  redelivered_at   INTEGER,       -- when a redelivery last started or skipped the delivery. NULL: never
  -- The large columns come last, so that SQLite reads the others without them.
  payload          TEXT,          -- the body of an event that isn't about a job. NULL: the body is made from the job
  hook             TEXT,          -- JSON: an event in Firecrawl's form (DeliveryHook). NULL: in our own form
  attempts         TEXT NOT NULL DEFAULT '[]', -- JSON: the attempts of this round
  earlier_attempts TEXT NOT NULL DEFAULT '[]', -- JSON: the attempts of earlier rounds
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_scheduled ON deliveries (due_at) WHERE stage = 'scheduled';
CREATE INDEX deliveries_waiting ON deliveries (host, next_attempt_at) WHERE stage = 'waiting';
-- The deliveries that wait for their turn, because their receiver is failing.
CREATE INDEX deliveries_held ON deliveries (host, due_at) WHERE stage = 'scheduled' AND due_at > next_attempt_at;
CREATE INDEX deliveries_sending ON deliveries (host) WHERE stage = 'sending';
CREATE INDEX deliveries_abandoned ON deliveries (mode, id) WHERE status = 'abandoned';
CREATE INDEX deliveries_abandoned_by_time ON deliveries (mode, created_at) WHERE status = 'abandoned';
-- Only the deliveries to further endpoints, because the first delivery of a job has the job's id.
CREATE INDEX deliveries_by_job ON deliveries (mode, job_id, endpoint_id) WHERE job_id <> id;

-- The latest hour for which events were planned, and their number. See delivery-rules.ts.
CREATE TABLE delivery_hours (
  mode   TEXT PRIMARY KEY,
  hour   INTEGER NOT NULL, -- the start of the hour (Unix ms)
  events INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The abandoned deliveries that the account's owner hasn't been told about, by endpoint.
CREATE TABLE webhook_alerts (
  mode        TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  abandoned   INTEGER NOT NULL, -- the number of deliveries since the last email
  delivery_id TEXT NOT NULL,    -- the latest of these deliveries
  sent_at     INTEGER,          -- when the last email was sent. NULL: none was sent
  tries       INTEGER NOT NULL DEFAULT 0, -- the number of messages for the next email
  due_at      INTEGER,          -- when the message for the next email is due. NULL: there is nothing to tell
  PRIMARY KEY (mode, endpoint_id)
) STRICT, WITHOUT ROWID;

-- The number of deliveries that were abandoned, by period of ten minutes. Rows older than an hour are deleted.
CREATE TABLE recent_abandoned (
  period     INTEGER PRIMARY KEY, -- the start of the period (Unix ms)
  deliveries INTEGER NOT NULL
) STRICT;

-- The receivers whose last request failed.
CREATE TABLE failing_receivers (
  host         TEXT PRIMARY KEY,
  timeouts     INTEGER NOT NULL, -- the number of timeouts in a row
  failures     INTEGER NOT NULL, -- the number of failures in a row
  next_at      INTEGER NOT NULL  -- once the receiver is failing, the next free minute for an attempt
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

-- The usage alerts of the current period. Each is sent once per period.
CREATE TABLE usage_alerts (
  subject      TEXT NOT NULL,    -- 'account', or the id of a key with a credit limit
  threshold    INTEGER NOT NULL, -- in percent
  period_start INTEGER NOT NULL,
  alert        TEXT NOT NULL,    -- JSON: see UsageAlert
  emailed      INTEGER NOT NULL, -- 1: the message for its email was sent to the queue
  PRIMARY KEY (subject, threshold)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_alerts_to_email ON usage_alerts (subject) WHERE emailed = 0;

-- The batches and the crawls. Each of their pages is a job, whose batch_id is the id of the batch.
CREATE TABLE batches (
  mode         TEXT NOT NULL,
  id           TEXT NOT NULL,     -- UUIDv7 that ends with the account's tag
  kind         TEXT NOT NULL CHECK (kind IN ('batch', 'crawl')),
  key_id       TEXT NOT NULL,
  credit_limit INTEGER,           -- the credit limit of the key when the batch was created. NULL: none
  endpoint     TEXT NOT NULL,
  status       TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
  origin       TEXT NOT NULL,
  webhook_url  TEXT,
  webhook_endpoint_id TEXT,       -- as in the table jobs
  page_events  INTEGER NOT NULL,  -- 1: the end of each page is sent to webhook_url
  metadata     TEXT,              -- the labels: see labels.ts
  prices       TEXT NOT NULL,     -- JSON: the prices at the creation of the batch, which its pages use
  request_id   TEXT,              -- the X-Request-Id of the request
  pages        INTEGER NOT NULL,  -- the number of pages, including those that haven't started
  started      INTEGER NOT NULL DEFAULT 0,
  completed    INTEGER NOT NULL DEFAULT 0,
  failed       INTEGER NOT NULL DEFAULT 0,
  by_code      TEXT NOT NULL DEFAULT '{}', -- JSON: the number of ended pages by outcome or error code
  credits_used INTEGER NOT NULL DEFAULT 0,
  given_back   INTEGER NOT NULL DEFAULT 0, -- the credits that were reserved and not charged
  code         TEXT,              -- the error code. It is also set while the batch is being stopped
  error        TEXT,              -- JSON: message, status, retryable
  created_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  due_at       INTEGER,           -- when the alarm must check the batch. NULL once it has ended
  -- The large columns come last, so that SQLite reads the others without them.
  request      TEXT,              -- the validated body without its secrets and pages. NULL: its retention is over
  hook         TEXT,              -- JSON: the webhook of a client of Firecrawl (Hook). NULL: there is none
  defaults     TEXT,              -- JSON: the fields that the requests of the pages share. NULL: its retention is over
  secrets      TEXT,              -- encrypted (AES-GCM) with the id of the batch. NULL: there are none, or it has ended
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX batches_by_kind ON batches (mode, kind, id);
CREATE INDEX batches_due ON batches (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX batches_unexpired ON batches (ended_at) WHERE ended_at IS NOT NULL AND request IS NOT NULL;

-- The pages of batches. They start in the order of their numbers. A row keeps its overrides until the page's job
-- has ended.
CREATE TABLE batch_pages (
  mode     TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  number   INTEGER NOT NULL,      -- counted from 1
  job_id   TEXT,                  -- NULL: the page hasn't started
  url      TEXT NOT NULL,
  overrides TEXT,                 -- JSON: the fields that differ from the batch's defaults. A null removes a default
  secrets  TEXT,                  -- encrypted with the id of the batch. NULL: those of the batch
  rendered INTEGER NOT NULL,
  credits  INTEGER NOT NULL,      -- the price
  plan     TEXT NOT NULL,         -- JSON: the method of the run, with the parts of its price
  PRIMARY KEY (mode, batch_id, number)
) STRICT, WITHOUT ROWID;

-- The captures: the loaded pages that completed jobs kept in R2. A row is deleted together with the job's result.
CREATE TABLE captures (
  mode        TEXT NOT NULL,
  id          TEXT NOT NULL,    -- the id of the job that kept the capture
  run         INTEGER NOT NULL, -- the run that kept it, which is a part of the object's key
  lookup      TEXT,             -- the hash of the URL and the options. NULL: max_age doesn't find the capture
  captured_at INTEGER NOT NULL,
  is_free     INTEGER NOT NULL, -- 1: the job cost nothing because of its outcome
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX captures_by_lookup ON captures (mode, lookup, captured_at) WHERE lookup IS NOT NULL;
CREATE INDEX captures_by_age ON captures (captured_at);

-- The ended jobs with store: false whose results or other objects must still be deleted.
CREATE TABLE temporary_results (
  mode   TEXT NOT NULL,
  id     TEXT NOT NULL,
  due_at INTEGER NOT NULL, -- when the alarm must delete them
  PRIMARY KEY (mode, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX temporary_results_due ON temporary_results (due_at);
