// `npm run jobs -- --host example.com --since 2026-11-01`: prints the outcomes of finished jobs. The job events come
// from the event log of the local service, or from Analytics Engine.
import { type EventReport, type JobFilter, queryAnalytics } from "./admin/analytics.ts";
import { ADMIN_OPTIONS, ADMIN_OPTIONS_USAGE, openAdmin } from "./admin/client.ts";
import { parseOptions } from "./options.ts";

const USAGE = `npm run jobs -- [--host example.com] [--since 2026-11-01] [--until …] [--code …] [--outcome …] [--account …]
                [--key …] [--endpoint …] [--status completed|failed] [--mode live|test] [--limit N]

  --host             the target's host, including its subdomains; also prints the accounts that requested it
  --deployed         queries Analytics Engine; requires CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID
  --dataset NAME     the Analytics Engine dataset (default web_data_extraction, with --env web_data_extraction_<env>)
${ADMIN_OPTIONS_USAGE}
  --help             prints this help`;

const FILTERS = ["host", "since", "until", "code", "outcome", "account", "key", "endpoint", "status", "mode"] as const;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseOptions(USAGE, {
    options: {
      ...ADMIN_OPTIONS,
      ...{ host: text, since: text, until: text, code: text, outcome: text, account: text, key: text },
      ...{ endpoint: text, status: text, mode: text },
      limit: { type: "string", default: "50" },
      deployed: { type: "boolean", default: false },
      dataset: { type: "string" },
    },
  });
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 0)
    throw new Error(`--limit must be a whole number of at least 0, but is '${values.limit}'.`);
  const given = FILTERS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  const filter = Object.fromEntries(given) as JobFilter;
  for (const name of ["since", "until"] as const) {
    if (filter[name] !== undefined && Number.isNaN(Date.parse(filter[name])))
      throw new Error(`--${name} must be a date such as 2026-11-01, but is '${filter[name]}'.`);
  }
  if (values.deployed) {
    const usual = ["web_data_extraction", ...(values.env === undefined ? [] : [values.env.replaceAll("-", "_")])].join(
      "_",
    );
    return show(await queryAnalytics({ filter, limit, dataset: values.dataset ?? usual }), filter);
  }
  const query = new URLSearchParams({ ...filter, limit: String(limit) });
  show(await openAdmin(values).call<EventReport>("GET", `/events?${query}`), filter);
}

function show({ groups, accounts, events }: EventReport, { host }: JobFilter): void {
  if (groups.length === 0) {
    console.log("No jobs match these filters.");
    return;
  }
  console.table(
    groups.map(({ endpoint, status, outcome, code, jobs, credits, averageMs }) => ({
      endpoint,
      status,
      "outcome or code": code || outcome,
      jobs,
      credits,
      "average ms": averageMs,
    })),
  );
  if (host !== undefined) {
    console.table(accounts.map(({ lastAt, ...account }) => ({ ...account, last: new Date(lastAt).toISOString() })));
  }
  console.table(
    events.map(({ endedAt, endpoint, host, status, outcome, code, processingMs, credits, account, key, job }) => ({
      ended: new Date(endedAt).toISOString(),
      endpoint,
      host,
      result: status === "completed" ? outcome : code,
      ms: processingMs,
      credits,
      account,
      key,
      job,
    })),
  );
}
