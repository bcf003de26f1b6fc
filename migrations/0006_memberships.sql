-- The accounts of each user, with the user's role. This table replaces `members`, in which a user has only one account.
-- `members` stays for the previous version of the code. Users who sign up while that version is still running have a
-- row there until their next session.
CREATE TABLE memberships (
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role       TEXT NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_by_account ON memberships (account_id);

-- Until now, each user had all permissions in the account.
INSERT INTO memberships (user_id, account_id, role, created_at)
  SELECT user_id, account_id, 'owner', created_at FROM members;

-- The open invitations. An invitation is deleted when it is accepted or revoked.
CREATE TABLE invitations (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  token_hash TEXT NOT NULL UNIQUE, -- the SHA-256 of the link's token
  email      TEXT,                 -- lower case. NULL: any user who has the link can accept the invitation
  role       TEXT NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  invited_by TEXT NOT NULL,        -- the email address of the owner who created the invitation
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX invitations_by_account ON invitations (account_id, created_at);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);
