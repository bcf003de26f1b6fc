import { type Context, Hono } from "hono";
import { listDeniedOf } from "../../../directory/deny-list";
import { getAccount } from "../../../store/accounts";
import type { DeniedTarget } from "../../../store/denied-targets";
import { Card, LinkButton, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { Table } from "../../ui/table";
import { toAccountPath } from "./support-view";

/** The deny lists of all accounts and of one. The guard of the admin pages must run first. */
export const denyListPages = new Hono<DashboardEnv>();

denyListPages.get("/admin/deny-list", async (c) => await renderList(c, null));

denyListPages.get("/admin/accounts/:id/deny-list", async (c) => {
  const account = await getAccount(c.env.DB, c.req.param("id"));
  return account === null ? await c.notFound() : await renderList(c, account);
});

/** Renders the list of one account, or the list that applies to all accounts if `account` is null. */
async function renderList(c: Context<DashboardEnv>, account: { id: string; name: string } | null): Promise<Response> {
  const entries = await listDeniedOf(c.env, account?.id ?? null);
  const option = account === null ? "" : ` --account ${account.id}`;
  return await c.render(<DenyList entries={entries} option={option} />, {
    title: "Deny list",
    lead: `Jobs and webhooks of ${account?.name ?? "all accounts"} can't request these targets. This includes redirects, resources of rendered pages and actions.`,
    section: "admin",
    actions: (
      <LinkButton
        href={account === null ? "/dashboard/admin" : toAccountPath(account.id)}
        tone="quiet"
        label={account?.name ?? "All accounts"}
      />
    ),
  });
}

function DenyList({ entries, option }: { entries: DeniedTarget[]; option: string }) {
  return (
    <Card title="Denied targets">
      <Table
        caption="Denied targets"
        empty="No denied targets. Jobs and webhooks can request every public host."
        rows={entries}
        columns={[
          { label: "Target", cell: ({ target }) => <code>{target}</code> },
          { label: "Reason", cell: ({ note }) => (note === "" ? "–" : note) },
          { label: "Added by", cell: ({ createdBy }) => createdBy },
          { label: "Added", class: "when", cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <p class="small muted">
        To change the list, run <code>npm run admin -- deny add "*.example.com"{option}</code>.
      </p>
    </Card>
  );
}
