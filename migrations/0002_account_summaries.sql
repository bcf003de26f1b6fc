-- The last summary of each account's Durable Object, for lists of accounts. It is up to 15 minutes old.
CREATE TABLE account_summaries (
  account_id   TEXT PRIMARY KEY REFERENCES accounts (id),
  balance      INTEGER NOT NULL,
  reserved     INTEGER NOT NULL,
  granted      INTEGER NOT NULL, -- credits granted in the account's period
  used         INTEGER NOT NULL, -- credits charged in the account's period
  queued       INTEGER NOT NULL, -- the number of queued jobs
  processing   INTEGER NOT NULL, -- the number of running jobs
  last_job_at  INTEGER,
  next_due_at  INTEGER,          -- when the object's alarm must fire next. NULL: no alarm is due
  updated_at   INTEGER NOT NULL  -- when the object sent the summary
) STRICT, WITHOUT ROWID;

CREATE INDEX account_summaries_by_due ON account_summaries (next_due_at) WHERE next_due_at IS NOT NULL;
