import { FIRST_TABLES } from "./first-tables";

/**
 * The tables of an account's Durable Object. Each entry is one version. Never change or remove an entry. A new entry
 * may only add tables, columns and indexes. After a rollback, the old code must work with the new tables.
 */
export const MIGRATIONS: readonly string[] = [
  FIRST_TABLES,
  `
  -- 1: the account pays for pages whose outcome would make them free.
  ALTER TABLE account ADD COLUMN charge_free_outcomes INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- The events that are sent to the account's URL, as a JSON list. NULL: the events of jobs.
  ALTER TABLE webhooks ADD COLUMN events TEXT;

  -- The webhook endpoints besides the account's URL, which is the endpoint 'default' and is stored in webhooks.
  CREATE TABLE webhook_endpoints (
    mode                TEXT NOT NULL,
    id                  TEXT NOT NULL,
    url                 TEXT NOT NULL,
    events              TEXT,             -- a JSON list. NULL: the events of jobs
    secret              TEXT NOT NULL,    -- encrypted (AES-GCM)
    previous_secret     TEXT,             -- encrypted. Also signs deliveries until it expires
    previous_expires_at INTEGER,
    created_at          INTEGER NOT NULL,
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  -- The origin of webhook_url. 'default': the account's URL. 'request': the job's request. NULL: there is no URL, or an
  -- earlier version created the job.
  ALTER TABLE jobs ADD COLUMN webhook_endpoint_id TEXT;

  -- The endpoint that the delivery is sent to, or 'request' for the URL of a job's request. NULL: an earlier version
  -- created the delivery.
  ALTER TABLE deliveries ADD COLUMN endpoint_id TEXT;
  -- The body of an event that isn't about a job. NULL: the body is made from the job.
  ALTER TABLE deliveries ADD COLUMN payload TEXT;
  -- When a redelivery last started or skipped the delivery. NULL: never.
  ALTER TABLE deliveries ADD COLUMN redelivered_at INTEGER;

  -- Only the deliveries to further endpoints, because the first delivery of a job has the job's id.
  CREATE INDEX deliveries_by_job ON deliveries (mode, job_id, endpoint_id) WHERE job_id <> id;
  CREATE INDEX deliveries_abandoned_by_time ON deliveries (mode, created_at) WHERE status = 'abandoned';

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
  `,
  `
  -- The credits that operators have added in this period, minus the credits that they have removed.
  ALTER TABLE account ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
  UPDATE account SET added =
    (SELECT COALESCE(SUM(amount), 0) FROM ledger WHERE kind = 'adjustment' AND created_at >= account.period_start);

  -- The usage alerts of the current period. Each is sent once per period.
  CREATE TABLE usage_alerts (
    subject      TEXT NOT NULL,    -- 'account', or the id of a key with a credit limit
    threshold    INTEGER NOT NULL, -- in percent
    period_start INTEGER NOT NULL,
    alert        TEXT,             -- JSON. NULL in rows of an earlier version: the alert of a higher threshold was sent instead
    emailed      INTEGER NOT NULL, -- 1: the message for its email was sent to the queue
    PRIMARY KEY (subject, threshold)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX usage_alerts_to_email ON usage_alerts (subject) WHERE emailed = 0;
  `,
  `
  -- The secrets of the request, such as headers for the target, encrypted (AES-GCM). NULL: there are none, or the job has
  -- ended.
  ALTER TABLE jobs ADD COLUMN secrets TEXT;
  `,
  `
  -- Lists that filter by labels read only the jobs with labels. The format of metadata is described in labels.ts.
  CREATE INDEX jobs_labeled ON jobs (mode, id) WHERE metadata IS NOT NULL;
  `,
  `
  -- The batches and the crawls. Each of their pages is a job, whose batch_id is the id of the batch.
  CREATE TABLE batches (
    mode         TEXT NOT NULL,
    id           TEXT NOT NULL,     -- UUIDv7 that ends with the account's tag
    kind         TEXT NOT NULL CHECK (kind IN ('batch', 'crawl')),
    key_id       TEXT NOT NULL,
    credit_limit INTEGER,           -- the credit limit of the key when the batch was created. NULL: none
    endpoint     TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    request      TEXT,              -- the validated body without its secrets and pages. NULL: its retention is over
    defaults     TEXT,              -- JSON: the fields that the requests of the pages share. NULL: its retention is over
    secrets      TEXT,              -- encrypted (AES-GCM) with the id of the batch. NULL: there are none, or it has ended
    origin       TEXT NOT NULL,
    webhook_url  TEXT,
    webhook_endpoint_id TEXT,       -- as in the table jobs
    page_events  INTEGER NOT NULL,  -- 1: the end of each page is sent to webhook_url
    metadata     TEXT,              -- the labels: see labels.ts
    pages        INTEGER NOT NULL,  -- the number of pages, including those that haven't started
    started      INTEGER NOT NULL DEFAULT 0,
    completed    INTEGER NOT NULL DEFAULT 0,
    failed       INTEGER NOT NULL DEFAULT 0,
    by_code      TEXT NOT NULL DEFAULT '{}', -- JSON: the number of ended pages by outcome or error code
    credits_used INTEGER NOT NULL DEFAULT 0,
    given_back   INTEGER NOT NULL DEFAULT 0, -- the credits that were reserved and not charged
    code         TEXT,              -- the error code: cancelled or insufficient_credits
    error        TEXT,              -- JSON: message, status, retryable
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    due_at       INTEGER,           -- when the alarm must check the batch. NULL once it has ended
    PRIMARY KEY (mode, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX batches_due ON batches (due_at) WHERE due_at IS NOT NULL;

  -- The pages of batches. They start in the order of their numbers. A row keeps its request until the page's job exists.
  CREATE TABLE batch_pages (
    mode     TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    number   INTEGER NOT NULL,      -- counted from 1
    job_id   TEXT,                  -- NULL: the page hasn't started
    url      TEXT NOT NULL,
    request  TEXT,                  -- JSON: the fields that differ from the batch's defaults. A null removes a default
    secrets  TEXT,                  -- encrypted with the id of the batch. NULL: those of the batch
    rendered INTEGER NOT NULL,
    credits  INTEGER NOT NULL,      -- the price
    lines    TEXT,                  -- JSON: the parts of the price
    PRIMARY KEY (mode, batch_id, number)
  ) STRICT, WITHOUT ROWID;

  -- The number of the page in its batch. The column batch_id exists since the first version.
  ALTER TABLE jobs ADD COLUMN page INTEGER;

  CREATE INDEX jobs_by_batch ON jobs (mode, batch_id, id) WHERE batch_id IS NOT NULL;
  `,
  `
  -- 1: jobs keep the pages that they load as captures, unless their requests have another setting.
  ALTER TABLE account ADD COLUMN keep_captures INTEGER NOT NULL DEFAULT 0;

  -- 1: the request has store: false. The request is deleted when the job ends, and the result after it was read.
  ALTER TABLE jobs ADD COLUMN temporary INTEGER NOT NULL DEFAULT 0;

  -- The captures: the loaded pages that completed jobs kept in R2. A row is deleted together with the job's result.
  CREATE TABLE captures (
    mode        TEXT NOT NULL,
    id          TEXT NOT NULL,    -- the id of the job that kept the capture
    run         INTEGER NOT NULL, -- the run that kept it, which is a part of the object's key
    lookup      TEXT,             -- the hash of the URL and the options. NULL: max_age doesn't find the capture
    captured_at INTEGER NOT NULL,
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
  `,
  `
  -- The X-Request-Id of the request that created the job or the batch. It has no index: the id contains the time of the
  -- request, so only the jobs of the next minutes are read. NULL: the job is a page of a batch.
  ALTER TABLE jobs ADD COLUMN request_id TEXT;
  ALTER TABLE batches ADD COLUMN request_id TEXT;
  `,
  `
  -- The credits that the account may spend in a day (UTC). NULL: no limit.
  ALTER TABLE account ADD COLUMN daily_credits INTEGER;
  `,
  `
  -- JSON: the number of jobs that ended in the last hour, by period and duration. See recent-counts.ts. NULL: none.
  ALTER TABLE usage ADD COLUMN recent TEXT;

  -- The number of deliveries that were abandoned, by period of ten minutes. Rows older than an hour are deleted.
  CREATE TABLE recent_abandoned (
    period     INTEGER PRIMARY KEY, -- the start of the period (Unix ms)
    deliveries INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- JSON: the prices at the creation of the batch, which its pages use. NULL: an earlier version created the batch.
  ALTER TABLE batches ADD COLUMN prices TEXT;
  `,
];
