-- The directory in D1: accounts, keys, users, the audit log. Everything that changes with a request is in the account's own
-- Durable Object (src/account/migrations.ts). This is version 1 of the schema, for an empty database. Later versions are the
-- files of migrations/, which are applied after it. Times are Unix milliseconds.

-- The versions that were applied to this database.
CREATE TABLE schema_versions (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

-- The customers. NULL in a limit: the plan's value.
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
  version            INTEGER NOT NULL DEFAULT 1, -- incremented by every change that the object or the verifiers must learn
  object             TEXT NOT NULL,              -- the name of the account's Durable Object
  jurisdiction       TEXT,
  location           TEXT,                       -- the location hint that the object was created with
  created_at         INTEGER NOT NULL,
  erased_at          INTEGER
) STRICT;

CREATE INDEX accounts_by_age ON accounts (created_at DESC, id);
CREATE INDEX accounts_without_grants ON accounts (id) WHERE grants_enabled = 0;

-- Bearer keys. Only the SHA-256 of a secret is stored. Users recognize a key by its prefix and last4.
CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  hash         TEXT NOT NULL UNIQUE,
  mode         TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name         TEXT,
  prefix       TEXT NOT NULL,
  last4        TEXT NOT NULL,
  scopes       TEXT NOT NULL, -- JSON array
  allowed_ips  TEXT NOT NULL DEFAULT '[]', -- JSON array of CIDRs. Empty: any address
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id, mode, id DESC);
CREATE INDEX api_keys_active ON api_keys (account_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- Changes that a Durable Object must still learn: the verifier of a key, or an account's object. A row is written in the batch
-- of its change and deleted once the object was told. The cron retries until then.
CREATE TABLE outbox (
  kind    TEXT NOT NULL CHECK (kind IN ('account', 'key')),
  target  TEXT NOT NULL,    -- the account's id, or the key's hash
  version INTEGER NOT NULL, -- only the row of this version may be deleted after the object was told
  due_at  INTEGER NOT NULL,
  PRIMARY KEY (kind, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_by_due ON outbox (due_at);

-- The hourly checks of the search engines (SERP_CANARY).
CREATE TABLE serp_checks (
  id          INTEGER PRIMARY KEY,
  engine      TEXT NOT NULL,
  outcome     TEXT,               -- 'results', 'no_results' or an error's code. NULL until the check ends
  source      TEXT,               -- of the results: direct, browser or an API
  results     INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER,
  checked_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX serp_checks_by_engine ON serp_checks (engine, checked_at);

-- The users of the dashboard. better-auth reads and writes this table and the next four itself, in its own types: times are
-- ISO texts.
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

-- How a user signs in: with a password (scrypt), or with an account of another service.
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

-- Links that were emailed or shown. Each works once. The identifier is a hash.
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

-- Attempts to sign in, to sign up or to get a link, counted by address.
CREATE TABLE sign_in_attempts (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  count        INTEGER NOT NULL,
  last_request INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts (last_request);

-- The account of each user. It is created with the user's first session.
CREATE TABLE members (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX members_by_account ON members (account_id);

-- The actions of operators, append-only. Erasing an account may only remove the detail of its entries and replace its id.
CREATE TABLE audit_log (
  id         INTEGER PRIMARY KEY,
  actor      TEXT NOT NULL,        -- the admin's email address, or 'operator' for the command line
  action     TEXT NOT NULL,        -- such as 'account.change'
  account_id TEXT,                 -- a pseudonym once the account was erased
  detail     TEXT NOT NULL,        -- JSON: the new values. Never a secret
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX audit_log_by_account ON audit_log (account_id, id DESC);

-- These are the only triggers. They guard against a mistake in the code. Files in migrations/ have none, because
-- `wrangler d1 migrations apply` can't read them.
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
WHEN NEW.id <> OLD.id OR NEW.actor <> OLD.actor OR NEW.action <> OLD.action OR NEW.created_at <> OLD.created_at
  OR NEW.detail <> '{}' BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- REPLACE deletes rows without firing the trigger on DELETE.
CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_is_not_cut BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
