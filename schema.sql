-- The schema of the directory in D1: accounts, keys, users and the audit log. Data that changes with each request is in
-- the account's Durable Object instead (src/account/migrations.ts). This file is version 1, for an empty database. The
-- files in migrations/ are the later versions and are applied after it. Times are Unix milliseconds.

-- The schema versions that were applied to this database.
CREATE TABLE schema_versions (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

-- The customers' accounts. A limit that is NULL has the plan's value.
CREATE TABLE accounts (
  id                 TEXT PRIMARY KEY,
  tag                TEXT NOT NULL UNIQUE, -- the last 10 hex digits of the account's job ids
  name               TEXT NOT NULL,
  plan               TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
  rate_per_minute    INTEGER,
  monthly_credits    INTEGER,
  concurrent_jobs    INTEGER,
  concurrent_renders INTEGER,
  grants_enabled     INTEGER NOT NULL DEFAULT 1, -- 0: no credits until a member has verified an email address
  suspended_at       INTEGER,
  version            INTEGER NOT NULL DEFAULT 1, -- incremented by every change of the account
  object             TEXT NOT NULL,              -- the name of the account's Durable Object
  jurisdiction       TEXT,
  location           TEXT,                       -- the location hint with which the object was created
  created_at         INTEGER NOT NULL,
  erased_at          INTEGER
) STRICT;

CREATE INDEX accounts_by_age ON accounts (created_at DESC, id);
CREATE INDEX accounts_without_grants ON accounts (id) WHERE grants_enabled = 0;

-- The API keys. Only the SHA-256 of a key is stored. The dashboard shows its prefix and last four characters.
CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  hash         TEXT NOT NULL UNIQUE,
  mode         TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name         TEXT,
  prefix       TEXT NOT NULL,
  last4        TEXT NOT NULL,
  scopes       TEXT NOT NULL, -- JSON array
  allowed_ips  TEXT NOT NULL DEFAULT '[]', -- JSON array of CIDR ranges. Empty: all addresses are allowed
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id, mode, id DESC);
CREATE INDEX api_keys_active ON api_keys (account_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- Changes that must still be sent to a Durable Object: an account's object or a key's verifier. The batch that makes a
-- change also writes its row. The row is deleted once the change was sent. Until then, the cron retries.
CREATE TABLE outbox (
  kind    TEXT NOT NULL CHECK (kind IN ('account', 'key')),
  target  TEXT NOT NULL,    -- the account's id, or the key's hash
  version INTEGER NOT NULL, -- increases with each change. A row with a newer version isn't deleted
  due_at  INTEGER NOT NULL,
  PRIMARY KEY (kind, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_by_due ON outbox (due_at);

-- The results of the hourly checks of the search engines (SERP_CANARY).
CREATE TABLE serp_checks (
  id          INTEGER PRIMARY KEY,
  engine      TEXT NOT NULL,
  outcome     TEXT,               -- 'results', 'no_results' or an error code. NULL until the check ends
  source      TEXT,               -- the source of the results: direct, browser or an API
  results     INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER,
  checked_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX serp_checks_by_engine ON serp_checks (engine, checked_at);

-- The users of the dashboard. better-auth reads and writes this table and the next four tables. It stores times as ISO
-- 8601 strings.
CREATE TABLE users (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  email          TEXT NOT NULL UNIQUE, -- lower case
  email_verified INTEGER NOT NULL,
  image          TEXT,
  created_at     TEXT NOT NULL,
  updated_at     TEXT NOT NULL
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

-- The account of each user. The user's first session creates the account.
CREATE TABLE members (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX members_by_account ON members (account_id);

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
