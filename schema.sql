-- The whole schema: the data model of the service. Times are Unix milliseconds. Applying it again changes nothing.

-- Who is served. Keys and jobs belong to an account.
CREATE TABLE IF NOT EXISTS accounts (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Bearer keys. Only the SHA-256 of a secret is kept; prefix and last4 are for people to recognise it by.
CREATE TABLE IF NOT EXISTS api_keys (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  hash       TEXT NOT NULL UNIQUE,
  mode       TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name       TEXT,
  prefix     TEXT NOT NULL,
  last4      TEXT NOT NULL,
  scopes     TEXT NOT NULL, -- JSON array
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE INDEX IF NOT EXISTS api_keys_by_account ON api_keys (account_id, created_at);

-- One row a request for an extraction: the truth about it. Queue messages carry its id alone.
CREATE TABLE IF NOT EXISTS jobs (
  id            TEXT PRIMARY KEY, -- UUIDv7
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  mode          TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  endpoint      TEXT NOT NULL CHECK (endpoint IN ('scrape', 'parse', 'serp')),
  status        TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),

  -- Decided at admission, so that a run needs no more than the row and a replay does the same thing.
  request       TEXT,             -- validated body, JSON; NULL: it lies in R2 under requests/{id}
  rendered      INTEGER NOT NULL, -- 1: needs a browser, goes through the queue of renders
  waiting       INTEGER NOT NULL, -- 1: a caller waits for the answer; 0: asynchronous, or it became so
  webhook_url   TEXT,
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
CREATE INDEX IF NOT EXISTS jobs_by_account_status ON jobs (account_id, mode, status, id DESC);
CREATE INDEX IF NOT EXISTS jobs_by_wake ON jobs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS jobs_by_end ON jobs (ended_at) WHERE expired = 0 AND ended_at IS NOT NULL;
