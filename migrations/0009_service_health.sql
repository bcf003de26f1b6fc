-- The jobs that wait because of the account's own limit, and the jobs that were requeued because no browser was free.
ALTER TABLE account_summaries ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_summaries ADD COLUMN browser_waits INTEGER NOT NULL DEFAULT 0;
-- The time (Unix ms) since which the oldest job has waited in the service's own queue. NULL: no job waits there.
ALTER TABLE account_summaries ADD COLUMN queued_since INTEGER;

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
