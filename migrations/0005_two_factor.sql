-- 1: after the password, the user also enters a code to sign in.
ALTER TABLE users ADD COLUMN two_factor_enabled INTEGER NOT NULL DEFAULT 0;

-- The secrets of two-factor sign-in. better-auth reads and writes this table. A user has at most one row.
CREATE TABLE two_factors (
  id                        TEXT PRIMARY KEY,
  user_id                   TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  secret                    TEXT NOT NULL,              -- encrypted: the secret of the authenticator app
  backup_codes              TEXT NOT NULL,              -- encrypted: the JSON array of the unused backup codes
  verified                  INTEGER NOT NULL DEFAULT 1, -- 0: the setup isn't complete
  failed_verification_count INTEGER NOT NULL DEFAULT 0, -- the number of wrong codes in a row
  locked_until              TEXT                        -- no code is accepted before this time
) STRICT;
