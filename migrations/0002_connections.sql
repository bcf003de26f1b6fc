-- The host of the connected application to which the key belongs. NULL: a person created the key.
ALTER TABLE api_keys ADD COLUMN receiver TEXT;
