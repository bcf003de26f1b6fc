-- The hosts and networks that must not be requested. The code reads all rows with one query and keeps them for 60 seconds.
CREATE TABLE denied_targets (
  account_id TEXT NOT NULL,    -- empty: the entry applies to all accounts
  target     TEXT NOT NULL,    -- a host, a domain such as *.example.com, or a network such as 203.0.113.0/24
  note       TEXT NOT NULL,
  created_by TEXT NOT NULL,    -- the admin's email address, or 'operator' for the command line
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, target)
) STRICT, WITHOUT ROWID;

-- The credits that the account may spend in a day (UTC). NULL: no limit.
ALTER TABLE accounts ADD COLUMN daily_credits INTEGER;

-- Finds keys by the part of the secret that the dashboard shows.
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
