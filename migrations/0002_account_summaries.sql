-- What the accounts' objects last reported, for lists of accounts. It is up to 15 minutes old: the object has the truth.
CREATE TABLE account_summaries (
  account_id   TEXT PRIMARY KEY REFERENCES accounts (id),
  balance      INTEGER NOT NULL,
  reserved     INTEGER NOT NULL,
  granted      INTEGER NOT NULL, -- in the account's period
  used         INTEGER NOT NULL, -- charged in the account's period
  queued       INTEGER NOT NULL, -- jobs
  processing   INTEGER NOT NULL, -- jobs
  last_job_at  INTEGER,
  next_due_at  INTEGER,          -- when the object's alarm must have fired. NULL: nothing is due
  updated_at   INTEGER NOT NULL  -- when the object sent this
) STRICT, WITHOUT ROWID;

CREATE INDEX account_summaries_by_due ON account_summaries (next_due_at) WHERE next_due_at IS NOT NULL;
