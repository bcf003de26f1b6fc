-- JSON: the prices (credits) that the account has instead of those of the service. NULL: none.
ALTER TABLE accounts ADD COLUMN prices TEXT;
