-- The URLs of the site that the crawl knows.
CREATE TABLE frontier (
  id      INTEGER PRIMARY KEY,
  url     TEXT NOT NULL UNIQUE, -- the canonical URL
  host    TEXT NOT NULL,
  depth   INTEGER NOT NULL,     -- the number of links from the first page
  -- queued: not visited yet. started: the page has a number and is a page of the account's crawl. fetched: the run has
  -- reported, so the host is free. done: the job has ended. skipped: see reason. alias: another page redirects here.
  state   TEXT NOT NULL CHECK (state IN ('queued', 'started', 'fetched', 'done', 'skipped', 'alias')),
  reason  TEXT,                 -- the reason of a skipped URL
  number  INTEGER UNIQUE,       -- the number of the page in the crawl
  same_as INTEGER,              -- the number of the page that redirects here
  failed  INTEGER NOT NULL DEFAULT 0, -- 1: the run has reported that it failed
  tries   INTEGER NOT NULL DEFAULT 0, -- the number of runs whose target was busy
  retry_at INTEGER,             -- when a page whose target was busy is requested again (Unix ms)
  run     INTEGER,              -- the run of the last report
  reply   TEXT                  -- JSON: the reply to the last report
) STRICT;

CREATE INDEX frontier_queued ON frontier (host, depth, id) WHERE state = 'queued';
CREATE INDEX frontier_skipped ON frontier (reason, id) WHERE state = 'skipped';
CREATE INDEX frontier_open ON frontier (host) WHERE state IN ('started', 'fetched');

CREATE TABLE hosts (
  host       TEXT PRIMARY KEY,
  robots     TEXT,              -- JSON: the rules of robots.txt. NULL: not read yet
  tries      INTEGER NOT NULL DEFAULT 0, -- the number of failed attempts to read robots.txt
  delay_ms   INTEGER,           -- the Crawl-delay
  penalty_ms INTEGER NOT NULL DEFAULT 0, -- the delay after the last response with 429 or 503
  next_at    INTEGER NOT NULL DEFAULT 0  -- when the next page of the host may start (Unix ms)
) STRICT, WITHOUT ROWID;

-- The SHA-256 of the visible text of each page.
CREATE TABLE fingerprints (
  hash   TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The number of queued and visited URLs of each shape.
CREATE TABLE shapes (
  shape TEXT PRIMARY KEY,
  urls  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
