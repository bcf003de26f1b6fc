import { Hono } from "hono";
import type { AccountEvents } from "../../../account/event-log";
import { EVENT_LOG_NAME } from "../../../account/events";
import { canReadAnalytics, readHostAccounts } from "../../../health/analytics";
import { now, toIso } from "../../../lib/clock";
import { log, toLogged } from "../../../lib/log";
import { DAY_MS } from "../../../model/limits";
import { Card, CodeBlock, EmptyState, TableCell, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";

const SHOWN_DAYS = 30;
const HOST = /^(?=.{1,253}$)[a-z0-9._-]+$/;

/**
 * The accounts that requested a host. The page doesn't check for an admin, so the guard of the admin pages must run
 * first.
 */
export const hostPages = new Hono<DashboardEnv>();

hostPages.get("/admin/hosts", async (c) => {
  const given = (c.req.query("host") ?? "").trim().toLowerCase();
  const host = toHost(given);
  const since = now() - SHOWN_DAYS * DAY_MS;
  const accounts = host === null ? null : await readAccounts(c.env, host, since);
  return c.render(
    <>
      <Card>
        <form method="get" action="/dashboard/admin/hosts" class="row search">
          <label class="visually-hidden" for="host">
            Host
          </label>
          <input id="host" name="host" type="search" value={given} placeholder="example.com" />
          <button class="button" type="submit">
            Search
          </button>
        </form>
        <p class="small muted">The result includes the subdomains of the host.</p>
      </Card>
      {host === null ? null : accounts === null ? (
        <Deployed host={host} since={since} />
      ) : (
        <AccountTable accounts={accounts} host={host} />
      )}
    </>,
    {
      title: "Hosts",
      lead: "Accounts whose jobs requested a host.",
      section: "admin",
      actions: (
        <a class="button quiet" href="/dashboard/admin">
          All accounts
        </a>
      ),
    },
  );
});

/** Returns the host of a host name or URL, or null if it has none. */
function toHost(text: string): string | null {
  const host = URL.parse(text.includes("://") ? text : `http://${text}`)?.hostname.replace(/\.$/, "") ?? "";
  return HOST.test(host) ? host : null;
}

/** Reads the local event log or Analytics Engine. Returns null if the service can't read the events. */
export async function readAccounts(env: Env, host: string, since: number): Promise<AccountEvents[] | null> {
  if (env.LOCAL_EVENTS === "on")
    return (await env.EVENT_LOG.getByName(EVENT_LOG_NAME).query({ host, since, limit: 0 })).accounts;
  if (!canReadAnalytics(env)) return null;
  try {
    return await readHostAccounts(env, host, since);
  } catch (error) {
    log("warn", "events_unreadable", toLogged(error));
    return null;
  }
}

function AccountTable({ accounts, host }: { accounts: AccountEvents[]; host: string }) {
  if (accounts.length === 0) {
    return (
      <EmptyState title="No jobs">
        <p>
          No job in the last {SHOWN_DAYS} days requested {host}.
        </p>
      </EmptyState>
    );
  }
  return (
    <Card title={`Jobs in the last ${SHOWN_DAYS} days`}>
      <div class="table-scroll">
        <table class="stacking">
          <caption class="visually-hidden">Accounts that requested {host}</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="number">
                Jobs
              </th>
              <th scope="col" class="number">
                Failed
              </th>
              <th scope="col" class="number">
                Credits
              </th>
              <th scope="col">Last job</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ account, jobs, failed, credits, lastAt }) => (
              <tr>
                <TableCell of="Account">
                  <a href={`/dashboard/admin/accounts/${account}/jobs?q=${encodeURIComponent(host)}`}>{account}</a>
                </TableCell>
                <TableCell of="Jobs" class="number">
                  {jobs.toLocaleString("en")}
                </TableCell>
                <TableCell of="Failed" class="number">
                  {failed.toLocaleString("en")}
                </TableCell>
                <TableCell of="Credits" class="number">
                  {credits.toLocaleString("en")}
                </TableCell>
                <TableCell of="Last job" class="when">
                  <Time at={lastAt} />
                </TableCell>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** The command for a deployed service that can't read its events. */
function Deployed({ host, since }: { host: string; since: number }) {
  return (
    <Card title="Query Analytics Engine">
      <p>The events of ended jobs are in Analytics Engine, which this page can't read. Run this command:</p>
      <CodeBlock id="command" label="Command" wrap>
        {`npm run jobs -- --host ${host} --since ${toIso(since).slice(0, 10)} --deployed`}
      </CodeBlock>
    </Card>
  );
}
