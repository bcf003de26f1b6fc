// Queries job events with the SQL API of Analytics Engine. src/account/events.ts defines the columns (blob1, double1,
// …).

/** Filters for job events. `since` and `until` are ISO dates or times. */
export interface JobFilter {
  host?: string;
  since?: string;
  until?: string;
  code?: string;
  outcome?: string;
  account?: string;
  key?: string;
  endpoint?: string;
  status?: string;
  mode?: string;
}

interface EventGroup {
  endpoint: string;
  status: string;
  outcome: string;
  code: string;
  jobs: number;
  credits: number;
  averageMs: number;
}

interface JobEvent {
  job: string;
  account: string;
  key: string;
  endpoint: string;
  status: string;
  outcome: string;
  code: string;
  host: string;
  processingMs: number;
  credits: number;
  endedAt: number;
}

interface AccountEvents {
  account: string;
  jobs: number;
  failed: number;
  credits: number;
  lastAt: number;
}

/** The totals by outcome and by account, and the latest events, in the same format as the local event log returns. */
export interface EventReport {
  groups: EventGroup[];
  accounts: AccountEvents[];
  events: JobEvent[];
}

const COLUMNS = {
  endpoint: "blob2",
  status: "blob3",
  code: "blob4",
  mode: "blob5",
  key: "blob7",
  outcome: "blob8",
  host: "blob9",
  account: "index1",
} as const;

/**
 * Returns the SQL for the totals by outcome, for the latest events, and for the totals by account. Totals are weighted, because Analytics Engine may sample
 * events.
 */
export function toQueries(
  filter: JobFilter,
  { limit, dataset }: { limit: number; dataset: string },
): [string, string, string] {
  if (!/^\w+$/.test(dataset))
    throw new Error(`--dataset may only have letters, digits and underscores, but is '${dataset}'.`);
  const conditions = ["blob1 = 'job'"];
  for (const [name, column] of Object.entries(COLUMNS)) {
    const value = filter[name as keyof typeof COLUMNS];
    if (value === undefined || name === "host") continue;
    conditions.push(`${column} = ${quote(value)}`);
  }
  const { host, since, until } = filter;
  if (host !== undefined) conditions.push(`(blob9 = ${quote(host)} OR blob9 LIKE ${quote(`%.${host}`)})`);
  if (since !== undefined) conditions.push(`timestamp >= ${toTime(since)}`);
  if (until !== undefined) conditions.push(`timestamp < ${toTime(until)}`);
  const where = conditions.join(" AND ");
  const groups = `SELECT blob2 AS endpoint, blob3 AS status, blob8 AS outcome, blob4 AS code, SUM(_sample_interval) AS jobs,
    SUM(_sample_interval * double3) AS credits, SUM(_sample_interval * double1) / SUM(_sample_interval) AS averageMs
    FROM ${dataset} WHERE ${where} GROUP BY endpoint, status, outcome, code ORDER BY jobs DESC FORMAT JSON`;
  const events = `SELECT blob10 AS job, index1 AS account, blob7 AS key, blob2 AS endpoint, blob3 AS status, blob8 AS outcome,
    blob4 AS code, blob9 AS host, double1 AS processingMs, double3 AS credits, toUnixTimestamp(timestamp) AS endedAt
    FROM ${dataset} WHERE ${where} ORDER BY timestamp DESC LIMIT ${limit} FORMAT JSON`;
  const accounts = `SELECT index1 AS account, SUM(_sample_interval) AS jobs,
    SUM(IF(blob3 = 'failed', _sample_interval, 0)) AS failed, SUM(_sample_interval * double3) AS credits,
    toUnixTimestamp(MAX(timestamp)) AS lastAt FROM ${dataset} WHERE ${where} GROUP BY account ORDER BY jobs DESC LIMIT 100
    FORMAT JSON`;
  return [groups, events, accounts];
}

/** Quotes an id, a host or a name for SQL. Throws if the text has a character that isn't allowed in any of them. */
function quote(text: string): string {
  if (!/^%?[\w.:@-]+$/.test(text)) throw new Error(`'${text}' isn't a valid filter value.`);
  return `'${text}'`;
}

function toTime(text: string): string {
  return `toDateTime(${Math.floor(Date.parse(text) / 1_000)})`;
}

/** Queries Analytics Engine. Throws if a credential is missing or the query fails. */
export async function queryAnalytics({
  filter,
  ...options
}: {
  filter: JobFilter;
  limit: number;
  dataset: string;
}): Promise<EventReport> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = process.env;
  if (!token || !account)
    throw new Error("Set CLOUDFLARE_API_TOKEN (permission 'Account Analytics: Read') and CLOUDFLARE_ACCOUNT_ID.");
  const origin = process.env.CLOUDFLARE_API_ORIGIN ?? "https://api.cloudflare.com";
  const [groups, events, accounts] = await Promise.all(
    toQueries(filter, options).map(async (sql) => {
      const response = await fetch(`${origin}/client/v4/accounts/${account}/analytics_engine/sql`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: sql,
      });
      if (!response.ok)
        throw new Error(`Analytics Engine responded with status ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { data: Record<string, unknown>[] }).data;
    }),
  );
  return {
    groups: (groups ?? []).map((row) => toNumbers(row, ["jobs", "credits", "averageMs"])) as unknown as EventGroup[],
    accounts: (accounts ?? []).map((row) => {
      const account = toNumbers(row, ["jobs", "failed", "credits", "lastAt"]);
      return { ...account, lastAt: Number(account.lastAt) * 1_000 };
    }) as unknown as AccountEvents[],
    events: (events ?? []).map((row) => {
      const event = toNumbers(row, ["processingMs", "credits", "endedAt"]);
      return { ...event, endedAt: Number(event.endedAt) * 1_000 };
    }) as unknown as JobEvent[],
  };
}

/** Converts columns to rounded numbers, because Analytics Engine returns large integers as strings. */
function toNumbers(row: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return { ...row, ...Object.fromEntries(names.map((name) => [name, Math.round(Number(row[name]))])) };
}
