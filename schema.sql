-- The whole schema: the data model of the service. Times are Unix milliseconds. Applying it again changes nothing, and
-- brings the triggers of an older one up to date.

-- Who is served. Balance and reserved are what the ledger adds up to; nothing but its trigger changes them.
CREATE TABLE IF NOT EXISTS accounts (
  id              TEXT PRIMARY KEY,
  name            TEXT NOT NULL,
  plan            TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
  rate_per_minute INTEGER,        -- NULL: the plan's
  monthly_credits INTEGER,        -- NULL: the plan's
  suspended_at    INTEGER,
  version         INTEGER NOT NULL DEFAULT 1, -- incremented by every change that the verifiers of its keys must read
  balance         INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),
  reserved        INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  granted         INTEGER NOT NULL DEFAULT 0, -- in this period
  used            INTEGER NOT NULL DEFAULT 0, -- charged in this period
  period_start    INTEGER NOT NULL,
  next_grant_at   INTEGER NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS accounts_by_grant ON accounts (next_grant_at);
CREATE INDEX IF NOT EXISTS accounts_by_age ON accounts (created_at DESC, id);

-- Every change of credits, for good: rows are added, never changed. The sums are the account's balance and reserved.
CREATE TABLE IF NOT EXISTS ledger (
  id              INTEGER PRIMARY KEY,
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  kind            TEXT NOT NULL CHECK (kind IN ('grant', 'expiry', 'adjustment', 'reserve', 'charge', 'release')),
  job_id          TEXT,           -- of reserve, charge, release
  period          INTEGER,        -- of grant and expiry: the period's start
  balance_change  INTEGER NOT NULL,
  reserved_change INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS ledger_by_account ON ledger (account_id, id);
-- A job is reserved once and settled once, a period granted once: a second try stops its whole batch.
CREATE UNIQUE INDEX IF NOT EXISTS ledger_job_kind ON ledger (job_id, kind) WHERE job_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS ledger_job_settled ON ledger (job_id) WHERE kind IN ('charge', 'release');
CREATE UNIQUE INDEX IF NOT EXISTS ledger_period ON ledger (account_id, kind, period) WHERE period IS NOT NULL;

DROP TRIGGER IF EXISTS ledger_counts;
CREATE TRIGGER ledger_counts AFTER INSERT ON ledger BEGIN
  UPDATE accounts SET
    balance = balance + NEW.balance_change,
    reserved = reserved + NEW.reserved_change,
    used = used + CASE NEW.kind WHEN 'charge' THEN -NEW.reserved_change ELSE 0 END
  WHERE id = NEW.account_id;
END;

DROP TRIGGER IF EXISTS ledger_is_not_changed;
CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- REPLACE deletes what is in its way without asking the trigger below: nothing may be in its way.
DROP TRIGGER IF EXISTS ledger_is_not_replaced;
CREATE TRIGGER ledger_is_not_replaced BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger WHERE job_id = NEW.job_id AND kind = NEW.kind)
  OR EXISTS (SELECT 1 FROM ledger WHERE job_id = NEW.job_id AND kind IN ('charge', 'release') AND NEW.kind IN ('charge', 'release'))
  OR EXISTS (SELECT 1 FROM ledger WHERE account_id = NEW.account_id AND kind = NEW.kind AND period = NEW.period) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

DROP TRIGGER IF EXISTS ledger_is_not_cut;
CREATE TRIGGER ledger_is_not_cut BEFORE DELETE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- Bearer keys. Only the SHA-256 of a secret is kept; prefix and last4 are for people to recognise it by.
CREATE TABLE IF NOT EXISTS api_keys (
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  hash         TEXT NOT NULL UNIQUE,
  mode         TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name         TEXT,
  prefix       TEXT NOT NULL,
  last4        TEXT NOT NULL,
  scopes       TEXT NOT NULL, -- JSON array
  allowed_ips  TEXT NOT NULL DEFAULT '[]', -- JSON array of CIDRs; empty: any address
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;

CREATE INDEX IF NOT EXISTS api_keys_by_account ON api_keys (account_id, mode, id DESC);
CREATE INDEX IF NOT EXISTS api_keys_active ON api_keys (account_id) WHERE revoked_at IS NULL;
CREATE INDEX IF NOT EXISTS api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- Keys whose verifiers must read their record again. A row is written with the change, deleted once the verifier was told,
-- and retried by the cron until then.
CREATE TABLE IF NOT EXISTS key_invalidations (
  key_hash   TEXT PRIMARY KEY,
  version    INTEGER NOT NULL,
  wake_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS key_invalidations_by_wake ON key_invalidations (wake_at);

-- Which job a caller's Idempotency-Key stands for, for 24 hours.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  account_id TEXT NOT NULL,
  mode       TEXT NOT NULL,
  endpoint   TEXT NOT NULL,
  key        TEXT NOT NULL,
  body_hash  TEXT NOT NULL,
  job_id     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, mode, endpoint, key)
) STRICT;

CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (created_at);

-- What an account did on a day (UTC), kept by the triggers of jobs.
CREATE TABLE IF NOT EXISTS usage_days (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mode       TEXT NOT NULL,
  date       TEXT NOT NULL,
  endpoint   TEXT NOT NULL,
  requests   INTEGER NOT NULL DEFAULT 0,
  credits    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, mode, date, endpoint)
) STRICT;

-- One row a request for an extraction: the truth about it. Queue messages carry its id alone.
CREATE TABLE IF NOT EXISTS jobs (
  id            TEXT PRIMARY KEY, -- UUIDv7
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  key_id        TEXT NOT NULL,    -- the key that asked
  mode          TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  endpoint      TEXT NOT NULL CHECK (endpoint IN ('scrape', 'parse', 'serp')),
  status        TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),

  -- Decided when the job is created, so that a run needs only the row and a replay does the same thing.
  request       TEXT,             -- validated body, JSON; NULL: it lies in R2 under requests/{id}
  rendered      INTEGER NOT NULL, -- 1: needs a browser, goes through the queue of renders
  waiting       INTEGER NOT NULL, -- 1: a caller waits for the answer; 0: asynchronous, or it became so
  webhook_url   TEXT,             -- the request's, else the account's
  origin        TEXT NOT NULL,    -- where this service was reached, for the links in the result
  credits       INTEGER NOT NULL, -- the price
  created_at    INTEGER NOT NULL,

  -- Who works on it. `run` numbers every claim and fences its writes; `counted_runs` leaves out the runs that were
  -- handed over and ends the job when it is used up.
  run           INTEGER NOT NULL DEFAULT 0,
  counted_runs  INTEGER NOT NULL DEFAULT 0,
  lease_until   INTEGER,          -- while processing
  wake_at       INTEGER,          -- when somebody should look again; NULL once it has ended
  looks         INTEGER NOT NULL DEFAULT 0,

  -- How it ended.
  result        TEXT,             -- JSON up to 16 KB; a larger one lies in R2 under results/{id}/{run}
  result_stored INTEGER NOT NULL DEFAULT 0, -- 1: in R2
  meta          TEXT,             -- JSON: what the endpoint says beside the result
  credits_used  INTEGER NOT NULL DEFAULT 0,
  error_code    TEXT,
  error_message TEXT,
  error_status  INTEGER,          -- of the synchronous answer
  error_retryable INTEGER,
  processing_time_ms INTEGER,
  ended_at      INTEGER,
  expired       INTEGER NOT NULL DEFAULT 0 -- 1: the result was kept for its time and is gone
) STRICT;

CREATE INDEX IF NOT EXISTS jobs_by_account ON jobs (account_id, mode, id DESC);
-- Also holds what the overview counts: a row has a request and a result of kilobytes before its last columns.
CREATE INDEX IF NOT EXISTS jobs_by_account_status
  ON jobs (account_id, mode, status, id DESC, endpoint, error_code, processing_time_ms);
CREATE INDEX IF NOT EXISTS jobs_by_account_endpoint ON jobs (account_id, mode, endpoint, id DESC);
-- A test key lists its own jobs alone.
CREATE INDEX IF NOT EXISTS jobs_by_test_key ON jobs (key_id, id DESC) WHERE mode = 'test';
CREATE INDEX IF NOT EXISTS jobs_by_wake ON jobs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS jobs_by_end ON jobs (ended_at) WHERE expired = 0 AND ended_at IS NOT NULL;

-- Where the results of an account's asynchronous jobs are pushed, and what signs them, for each mode.
CREATE TABLE IF NOT EXISTS webhooks (
  account_id          TEXT NOT NULL REFERENCES accounts (id),
  mode                TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  url                 TEXT,
  secret              TEXT, -- sealed (AES-GCM); NULL until it is first needed
  previous_secret     TEXT, -- sealed; signs beside the new one until it expires
  previous_expires_at INTEGER,
  PRIMARY KEY (account_id, mode)
) STRICT;

-- What has to be pushed, one row an event. A Durable Object of the same name works on it; this is the truth about whether
-- it must, and a log of what it did.
CREATE TABLE IF NOT EXISTS deliveries (
  id               TEXT PRIMARY KEY, -- the job's: a job has one event. A test event has one of its own
  account_id       TEXT NOT NULL REFERENCES accounts (id),
  mode             TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  job_id           TEXT,             -- NULL: a test event
  event            TEXT NOT NULL CHECK (event IN ('job.completed', 'job.failed', 'webhook.test')),
  url              TEXT NOT NULL,
  origin           TEXT NOT NULL,    -- where this service was reached: never the receiver
  status           TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'abandoned')),
  round            INTEGER NOT NULL DEFAULT 1, -- raised by each redelivery; fences what an older one writes
  attempts         TEXT NOT NULL DEFAULT '[]', -- JSON, of this round
  earlier_attempts TEXT NOT NULL DEFAULT '[]', -- JSON, of the rounds before, the last few
  next_attempt_at  INTEGER,          -- while pending
  wake_at          INTEGER,          -- when somebody should look whether its object is at work; NULL once it has ended
  looks            INTEGER NOT NULL DEFAULT 0,
  created_at       INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS deliveries_by_account ON deliveries (account_id, mode, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS deliveries_by_account_status
  ON deliveries (account_id, mode, status, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS deliveries_by_wake ON deliveries (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_by_age ON deliveries (created_at);

-- The job's row is the one thing that is written; what must go with it hangs on it, in the same transaction.
DROP TRIGGER IF EXISTS jobs_admitted;
CREATE TRIGGER jobs_admitted AFTER INSERT ON jobs BEGIN
  INSERT INTO ledger (account_id, kind, job_id, balance_change, reserved_change, created_at)
    SELECT NEW.account_id, 'reserve', NEW.id, -NEW.credits, NEW.credits, NEW.created_at WHERE NEW.credits > 0;
  INSERT INTO usage_days (account_id, mode, date, endpoint, requests)
    VALUES (NEW.account_id, NEW.mode, date(NEW.created_at / 1000, 'unixepoch'), NEW.endpoint, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

DROP TRIGGER IF EXISTS jobs_ended;
CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
WHEN NEW.status IN ('completed', 'failed') AND OLD.status NOT IN ('completed', 'failed') BEGIN
  INSERT INTO ledger (account_id, kind, job_id, balance_change, reserved_change, created_at)
    SELECT NEW.account_id,
      CASE NEW.status WHEN 'completed' THEN 'charge' ELSE 'release' END,
      NEW.id,
      CASE NEW.status WHEN 'completed' THEN 0 ELSE NEW.credits END,
      -NEW.credits,
      NEW.ended_at
    WHERE NEW.credits > 0;
  -- Credits run out with their period: what was reserved in an earlier one isn't carried over.
  INSERT INTO ledger (account_id, kind, balance_change, created_at)
    SELECT NEW.account_id, 'expiry', -NEW.credits, NEW.ended_at
    WHERE NEW.status = 'failed' AND NEW.credits > 0
      AND NEW.created_at < (SELECT period_start FROM accounts WHERE id = NEW.account_id);
  UPDATE usage_days SET credits = credits + NEW.credits_used
    WHERE account_id = NEW.account_id AND mode = NEW.mode AND endpoint = NEW.endpoint
      AND date = date(NEW.created_at / 1000, 'unixepoch') AND NEW.credits_used > 0;
  -- Nobody waits for longer than a minute. Somebody looks after another one whether the delivery's object was started.
  INSERT OR IGNORE INTO deliveries (id, account_id, mode, job_id, event, url, origin, next_attempt_at, wake_at, created_at)
    SELECT NEW.id, NEW.account_id, NEW.mode, NEW.id, 'job.' || NEW.status, NEW.webhook_url, NEW.origin, NEW.ended_at,
      NEW.ended_at + 60000, NEW.ended_at
    WHERE NEW.webhook_url IS NOT NULL AND (NEW.waiting = 0 OR NEW.ended_at > NEW.created_at + 60000);
END;

-- Whoever waited was sent away with a promise just when it ended, or after it.
DROP TRIGGER IF EXISTS jobs_left_alone;
CREATE TRIGGER jobs_left_alone AFTER UPDATE OF waiting ON jobs
WHEN NEW.waiting = 0 AND OLD.waiting = 1 AND NEW.ended_at IS NOT NULL AND NEW.webhook_url IS NOT NULL BEGIN
  INSERT OR IGNORE INTO deliveries (id, account_id, mode, job_id, event, url, origin, next_attempt_at, wake_at, created_at)
    VALUES (NEW.id, NEW.account_id, NEW.mode, NEW.id, 'job.' || NEW.status, NEW.webhook_url, NEW.origin, NEW.ended_at,
      NEW.ended_at + 60000, NEW.ended_at);
END;

DROP TRIGGER IF EXISTS jobs_stay_ended;
CREATE TRIGGER jobs_stay_ended BEFORE UPDATE OF status ON jobs
WHEN OLD.status IN ('completed', 'failed') AND NEW.status <> OLD.status BEGIN
  SELECT RAISE(ABORT, 'a job that has ended stays as it ended');
END;

-- What the search engines answered to an everyday query, hour by hour (SERP_CANARY).
CREATE TABLE IF NOT EXISTS serp_checks (
  id          INTEGER PRIMARY KEY,
  engine      TEXT NOT NULL,
  outcome     TEXT,               -- 'results', 'no_results' or an error's code; NULL while it is under way
  source      TEXT,               -- the way that brought it
  results     INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER,
  checked_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS serp_checks_by_engine ON serp_checks (engine, checked_at);

-- Who may sign in to the dashboard. The next five tables are better-auth's, in its own types (times are ISO texts): it reads
-- and writes them itself.
CREATE TABLE IF NOT EXISTS users (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  email          TEXT NOT NULL UNIQUE, -- lower case
  email_verified INTEGER NOT NULL,
  image          TEXT,
  created_at     TEXT NOT NULL,
  updated_at     TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS sessions (
  id         TEXT PRIMARY KEY,
  token      TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ip_address TEXT,
  user_agent TEXT,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS sessions_by_user ON sessions (user_id);
CREATE INDEX IF NOT EXISTS sessions_by_expiry ON sessions (expires_at);

-- How a user proves to be one: a password (scrypt), or an account elsewhere.
CREATE TABLE IF NOT EXISTS identities (
  id                       TEXT PRIMARY KEY,
  user_id                  TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id              TEXT NOT NULL, -- 'credential' or 'github'
  account_id               TEXT NOT NULL, -- the user's id there
  password                 TEXT,
  access_token             TEXT,
  refresh_token            TEXT,
  id_token                 TEXT,
  access_token_expires_at  TEXT,
  refresh_token_expires_at TEXT,
  scope                    TEXT,
  created_at               TEXT NOT NULL,
  updated_at               TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS identities_by_user ON identities (user_id);
CREATE UNIQUE INDEX IF NOT EXISTS identities_by_provider ON identities (provider_id, account_id);

-- Links that were sent or shown, each for one use: its identifier is a hash.
CREATE TABLE IF NOT EXISTS verifications (
  id         TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value      TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS verifications_by_identifier ON verifications (identifier);
CREATE INDEX IF NOT EXISTS verifications_by_expiry ON verifications (expires_at);

-- How often an address tried to sign in, sign up or have a link sent.
CREATE TABLE IF NOT EXISTS sign_in_attempts (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  count        INTEGER NOT NULL,
  last_request INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS sign_in_attempts_by_age ON sign_in_attempts (last_request);

-- Whose account a user sees. A user has one; it's made with the first session.
CREATE TABLE IF NOT EXISTS members (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS members_by_account ON members (account_id);

-- What operators did to accounts, for good.
CREATE TABLE IF NOT EXISTS audit_log (
  id         INTEGER PRIMARY KEY,
  actor      TEXT NOT NULL,        -- the admin's address, or 'operator' for the command line
  action     TEXT NOT NULL,        -- such as 'account.change'
  account_id TEXT,
  detail     TEXT NOT NULL,        -- JSON: what was changed to what; never a secret
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS audit_log_by_account ON audit_log (account_id, id DESC);

DROP TRIGGER IF EXISTS audit_log_is_not_changed;
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- REPLACE deletes without asking the trigger below.
DROP TRIGGER IF EXISTS audit_log_is_not_replaced;
CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

DROP TRIGGER IF EXISTS audit_log_is_not_cut;
CREATE TRIGGER audit_log_is_not_cut BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
