-- The schema of the directory in D1: accounts, keys, users and the audit log. Data that changes with each request is in
-- the account's Durable Object instead (src/account/storage/schema.sql). This file is version 1, for an empty database. It
-- was released with 0.2.0 and never changes. The files in migrations/ are the later versions. Times are Unix
-- milliseconds.

-- The schema versions that were applied to this database.
CREATE TABLE schema_versions (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

-- The customers' accounts. A limit that is NULL has the plan's value.
CREATE TABLE accounts (
  id                   TEXT PRIMARY KEY,
  tag                  TEXT NOT NULL UNIQUE, -- the last 10 hex digits of the account's job ids
  name                 TEXT NOT NULL,
  plan                 TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
  rate_per_minute      INTEGER,
  monthly_credits      INTEGER,
  daily_credits        INTEGER, -- the credits that the account may spend in a day (UTC). NULL: no limit
  concurrent_jobs      INTEGER,
  concurrent_renders   INTEGER,
  grants_enabled       INTEGER NOT NULL DEFAULT 1, -- 0: no credits until a member has verified an email address
  -- 1: the account pays for pages whose outcome would make them free. An operator sets it against abuse.
  charge_free_outcomes INTEGER NOT NULL DEFAULT 0,
  prices               TEXT, -- JSON: the account's own prices (credits). NULL: those of the service
  suspended_at         INTEGER,
  version              INTEGER NOT NULL DEFAULT 1, -- incremented by every change of the account
  object               TEXT NOT NULL,              -- the name of the account's Durable Object
  jurisdiction         TEXT,
  location             TEXT,                       -- the location hint with which the object was created
  created_at           INTEGER NOT NULL,
  erased_at            INTEGER
) STRICT;

CREATE INDEX accounts_by_age ON accounts (created_at DESC, id);
CREATE INDEX accounts_without_grants ON accounts (id) WHERE grants_enabled = 0;

-- The last summary of each account's Durable Object, for lists of accounts. It is up to 15 minutes old.
CREATE TABLE account_summaries (
  account_id    TEXT PRIMARY KEY REFERENCES accounts (id),
  balance       INTEGER NOT NULL,
  reserved      INTEGER NOT NULL,
  granted       INTEGER NOT NULL, -- credits granted in the account's period
  used          INTEGER NOT NULL, -- credits charged in the account's period
  queued        INTEGER NOT NULL, -- the number of queued jobs
  processing    INTEGER NOT NULL, -- the number of running jobs
  waiting       INTEGER NOT NULL DEFAULT 0, -- the number of jobs that wait because of the account's own limit
  browser_waits INTEGER NOT NULL DEFAULT 0, -- the number of jobs that were requeued because no browser was free
  -- The time (Unix ms) since which the oldest job has waited in the service's own queue. NULL: no job waits there.
  queued_since  INTEGER,
  last_job_at   INTEGER,
  next_due_at   INTEGER,          -- when the object's alarm must fire next. NULL: no alarm is due
  updated_at    INTEGER NOT NULL  -- when the object sent the summary
) STRICT, WITHOUT ROWID;

CREATE INDEX account_summaries_by_due ON account_summaries (next_due_at) WHERE next_due_at IS NOT NULL;

-- The API keys. Only the SHA-256 of a key is stored. The dashboard shows its prefix and last four characters.
CREATE TABLE api_keys (
  id                  TEXT PRIMARY KEY,
  account_id          TEXT NOT NULL REFERENCES accounts (id),
  hash                TEXT NOT NULL UNIQUE,
  mode                TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name                TEXT,
  prefix              TEXT NOT NULL,
  last4               TEXT NOT NULL,
  scopes              TEXT NOT NULL, -- JSON array
  allowed_ips         TEXT NOT NULL DEFAULT '[]', -- JSON array of CIDR ranges. Empty: all addresses are allowed
  credit_limit        INTEGER, -- the credits that the key may spend in each period of its account. NULL: no limit
  created_at          INTEGER NOT NULL,
  last_used_at        INTEGER,
  expires_at          INTEGER, -- when the key stops working. NULL: it doesn't expire
  revoked_at          INTEGER,
  -- The SHA-256 of the secret before the last rotation, and when that secret stops working. NULL: never rotated.
  previous_hash       TEXT,
  previous_expires_at INTEGER
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id, mode, id DESC);
CREATE INDEX api_keys_active ON api_keys (account_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX api_keys_by_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
-- Finds keys by the part of the secret that the dashboard shows.
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);

-- Changes that must still be sent to a Durable Object: an account's object or a key's verifier. The batch that makes a
-- change also writes its row. The row is deleted once the change was sent. Until then, the cron retries. A row of the
-- kind 'stop' stops the work of a key. It is due at the key's expiry, or one minute after its revocation.
CREATE TABLE outbox (
  kind    TEXT NOT NULL CHECK (kind IN ('account', 'key', 'stop')),
  target  TEXT NOT NULL,    -- the account's id, the key's hash, or the key's id
  version INTEGER NOT NULL, -- increases with each change. A row with a newer version isn't deleted
  due_at  INTEGER NOT NULL,
  PRIMARY KEY (kind, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_by_due ON outbox (due_at);

-- The hosts and networks that must not be requested. The code reads all rows with one query and keeps them for 60
-- seconds.
CREATE TABLE denied_targets (
  account_id TEXT NOT NULL,    -- empty: the entry applies to all accounts
  target     TEXT NOT NULL,    -- a host, a domain such as *.example.com, or a network such as 203.0.113.0/24
  note       TEXT NOT NULL,
  created_by TEXT NOT NULL,    -- the admin's email address, or 'operator' for the command line
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, target)
) STRICT, WITHOUT ROWID;

-- The results of the hourly checks of the search engines (SERP_CANARY).
CREATE TABLE serp_checks (
  id          INTEGER PRIMARY KEY,
  engine      TEXT NOT NULL,
  outcome     TEXT,               -- 'results', 'no_results' or an error code. NULL until the check ends
  source      TEXT,               -- the source of the results: direct, browser or an API
  results     INTEGER NOT NULL DEFAULT 0,
  disputed    INTEGER NOT NULL DEFAULT 0, -- the results that only one way to read the page found
  duration_ms INTEGER,
  checked_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX serp_checks_by_engine ON serp_checks (engine, checked_at);

-- The counts of each account and period of ten minutes, for three hours. The rows of the account 'service' contain
-- the checks of the service itself.
CREATE TABLE account_periods (
  start      INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  counts     TEXT NOT NULL,    -- JSON: numbers by name (src/model/service-counts.ts)
  updated_at INTEGER NOT NULL, -- the time at which the account sent the counts
  PRIMARY KEY (start, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_periods_by_account ON account_periods (account_id);

-- The sums of account_periods by hour.
CREATE TABLE service_hours (
  start  INTEGER PRIMARY KEY,
  counts TEXT NOT NULL
) STRICT;

-- The states of the parts of the service, by day (UTC), for the status page.
CREATE TABLE service_days (
  start INTEGER PRIMARY KEY,
  parts TEXT NOT NULL -- JSON: the number of hours by part and state
) STRICT;

-- Small values that the cron stores, such as the alerts that were sent.
CREATE TABLE service_state (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL -- JSON
) STRICT;

-- The incidents on the status page.
CREATE TABLE incidents (
  id          INTEGER PRIMARY KEY,
  title       TEXT NOT NULL,
  parts       TEXT NOT NULL, -- JSON: the names of the affected parts
  status      TEXT NOT NULL CHECK (status IN ('investigating', 'identified', 'monitoring', 'resolved')),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  resolved_at INTEGER
) STRICT;

CREATE INDEX incidents_by_update ON incidents (updated_at);

-- The updates of incidents. The first one is the text of the incident.
CREATE TABLE incident_updates (
  id          INTEGER PRIMARY KEY,
  incident_id INTEGER NOT NULL REFERENCES incidents (id),
  status      TEXT NOT NULL,
  text        TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX incident_updates_by_incident ON incident_updates (incident_id, id);

-- The users of the dashboard. better-auth reads and writes this table and the next five tables. It stores times as ISO
-- 8601 strings.
CREATE TABLE users (
  id                 TEXT PRIMARY KEY,
  name               TEXT NOT NULL,
  email              TEXT NOT NULL UNIQUE, -- lower case
  email_verified     INTEGER NOT NULL,
  image              TEXT,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0, -- 1: after the password, the user also enters a code to sign in
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL
) STRICT;

CREATE INDEX users_unverified ON users (id) WHERE email_verified = 0;

CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  token      TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ip_address TEXT,
  user_agent TEXT,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The ways in which a user signs in: a password (scrypt), or an account at another provider.
CREATE TABLE identities (
  id                       TEXT PRIMARY KEY,
  user_id                  TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id              TEXT NOT NULL, -- 'credential' or 'github'
  account_id               TEXT NOT NULL, -- the user's id at the provider
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

CREATE INDEX identities_by_user ON identities (user_id);
CREATE UNIQUE INDEX identities_by_provider ON identities (provider_id, account_id);

-- The links that were emailed or shown to users. Each link works once. The identifier is a hash of the link's token.
CREATE TABLE verifications (
  id         TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value      TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX verifications_by_identifier ON verifications (identifier);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);

-- The numbers of attempts to sign in, sign up or request a link, by IP address.
CREATE TABLE sign_in_attempts (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  count        INTEGER NOT NULL,
  last_request INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts (last_request);

-- The secrets of two-factor sign-in. A user has at most one row.
CREATE TABLE two_factors (
  id                        TEXT PRIMARY KEY,
  user_id                   TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  secret                    TEXT NOT NULL,              -- encrypted: the secret of the authenticator app
  backup_codes              TEXT NOT NULL,              -- encrypted: the JSON array of the unused backup codes
  verified                  INTEGER NOT NULL DEFAULT 1, -- 0: the setup isn't complete
  failed_verification_count INTEGER NOT NULL DEFAULT 0, -- the number of wrong codes in a row
  locked_until              TEXT,                       -- no code is accepted before this time
  -- The 30-second time step of the last accepted code of the authenticator app. This code and codes before it are
  -- refused. NULL: no code was accepted yet.
  last_step                 INTEGER
) STRICT;

-- The accounts of each user, with the user's role. The user's first session creates an account.
CREATE TABLE memberships (
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role       TEXT NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_by_account ON memberships (account_id);

-- The open invitations. An invitation is deleted when it is accepted or revoked.
CREATE TABLE invitations (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  token_hash TEXT NOT NULL UNIQUE, -- the SHA-256 of the link's token
  email      TEXT,                 -- lower case. NULL: any user who has the link can accept the invitation
  role       TEXT NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  invited_by TEXT NOT NULL,        -- the email address of the owner who created the invitation
  -- The id of this owner. The invitation is deleted when this user stops being an owner.
  inviter_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX invitations_by_account ON invitations (account_id, created_at);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- The actions of operators. The log is append-only, with one exception: erasing an account replaces the account's id
-- with a pseudonym and removes the detail of its entries.
CREATE TABLE audit_log (
  id         INTEGER PRIMARY KEY,
  actor      TEXT NOT NULL,        -- the admin's email address, or 'operator' for the command line
  action     TEXT NOT NULL,        -- such as 'account.change'
  account_id TEXT,                 -- a pseudonym if the account was erased
  detail     TEXT NOT NULL,        -- JSON: the new values. It never contains a secret
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX audit_log_by_account ON audit_log (account_id, id DESC);

-- These are the only triggers. They protect the log against errors in the code. Files in migrations/ can't have
-- triggers, because `wrangler d1 migrations apply` can't parse them.
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
WHEN NEW.id <> OLD.id OR NEW.actor <> OLD.actor OR NEW.action <> OLD.action OR NEW.created_at <> OLD.created_at
  OR NEW.detail <> '{}' BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- This trigger is necessary because REPLACE deletes rows without firing the DELETE trigger.
CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_is_not_cut BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
