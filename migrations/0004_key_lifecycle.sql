-- When a key stops working (Unix ms). NULL: it doesn't expire.
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
-- The credits that the key may spend in each period of its account. NULL: the key has no limit.
ALTER TABLE api_keys ADD COLUMN credit_limit INTEGER;
-- The SHA-256 of the secret before the last rotation, and when that secret stops working (Unix ms). NULL: the key was
-- never rotated.
ALTER TABLE api_keys ADD COLUMN previous_hash TEXT;
ALTER TABLE api_keys ADD COLUMN previous_expires_at INTEGER;

CREATE UNIQUE INDEX api_keys_by_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL;
