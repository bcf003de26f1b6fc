-- 1: the account pays for pages whose outcome would make them free. An operator sets it against abuse.
ALTER TABLE accounts ADD COLUMN charge_free_outcomes INTEGER NOT NULL DEFAULT 0;
