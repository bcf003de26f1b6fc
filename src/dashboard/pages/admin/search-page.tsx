import { Hono } from "hono";
import type { Located } from "../../../account/jobs/locate";
import { type Finding, search } from "../../../account/search";
import { isId } from "../../../lib/id";
import type { ListedKey } from "../../../model/api-key";
import type { Account } from "../../../store/accounts";
import { Card, CodeBlock, LinkButton } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { readFormFields } from "../../ui/form-data";
import { toRecordPath } from "../../ui/format";
import { Table } from "../../ui/table";
import { toKeyName } from "../keys/key-list";
import { toAccountPath, toViewedPath } from "./support-view";

const MAX_CHARS = 200;

/** The search of the admin pages. It doesn't check for an admin, so the guard of the admin pages must run first. */
export const searchPages = new Hono<DashboardEnv>();

// The form uses POST, because the text can be an API key. URLs are stored in logs and in the browser's history.
searchPages.post("/admin/find", async (c) => {
  const text = (await readFormFields(c, ["search"])).search.slice(0, MAX_CHARS);
  if (text === "") return c.redirect("/dashboard/admin", 303);
  const found = await search(c.env, text);
  const only = findOnlyPath(found);
  if (only !== null) return c.redirect(only, 303);
  if (found.kind === "accounts") return c.redirect(`/dashboard/admin?search=${encodeURIComponent(text)}`, 303);
  const id = text.toLowerCase();
  return c.render(<Found of={found} id={isId(id) ? id : null} />, {
    title: "Search",
    section: "admin",
    actions: <LinkButton href="/dashboard/admin" tone="quiet" label="All accounts" />,
  });
});

/** Returns the path of the match if there is exactly one. Otherwise returns null. */
function findOnlyPath(found: Finding): string | null {
  if (found.kind === "records") return found.records.length === 1 ? toPath(found.account, found.records[0]) : null;
  if (found.kind === "keys") return found.keys.length === 1 ? toKeysPath(found.keys[0]?.account) : null;
  return found.kind === "accounts" && found.accounts.length === 1 ? toAccountPath(found.accounts[0]?.id ?? "") : null;
}

function toKeysPath(account: Account | undefined): string {
  return `${toAccountPath(account?.id ?? "")}/keys`;
}

function toPath(account: Account, record: Located | undefined): string | null {
  if (record === undefined) return null;
  return toViewedPath(`${toRecordPath(record)}?mode=${record.mode}`, toAccountPath(account.id));
}

/** The result of a search with no match or several matches. */
function Found({ of: found, id }: { of: Finding; id: string | null }) {
  if (found.kind === "records") return <RecordList account={found.account} records={found.records} />;
  if (found.kind === "keys" && found.keys.length > 0) return <KeyList keys={found.keys} />;
  if (found.kind === "keys")
    return (
      <Card title="No matching API keys">
        <p>Keys are deleted 30 days after their revocation.</p>
      </Card>
    );
  const account = found.kind === "no_record" ? found.account : null;
  return (
    <Card title={account === null ? "No account has this ID" : "No job has this ID"}>
      {account === null ? (
        <p>
          The ID doesn't end with the tag of an account. If it's a request ID, the request had no valid API key, or its
          account was erased.
        </p>
      ) : (
        <p>
          The ID belongs to the account <a href={toAccountPath(account.id)}>{account.name}</a>. If it's a request ID,
          the request created no job: it was refused, it only read data, or it was a repetition of an earlier request
          with the same Idempotency-Key.
        </p>
      )}
      <p>The log has the status and the error code of each request. Search Workers Logs with this filter:</p>
      <CodeBlock id="log-filter" label="Filter for the log">{`request_id = "${id ?? ""}"`}</CodeBlock>
    </Card>
  );
}

function RecordList({ account, records }: { account: Account; records: Located[] }) {
  return (
    <Card title={`${records.length} records of this request`}>
      <ul class="rows">
        {records.map((record) => (
          <li>
            {record.kind} <a href={toPath(account, record) ?? ""}>{record.id}</a> ({record.mode})
          </li>
        ))}
      </ul>
    </Card>
  );
}

function KeyList({ keys }: { keys: { account: Account; key: ListedKey }[] }) {
  return (
    <Card title="Matching API keys">
      <Table
        caption="API keys that match the search"
        rows={keys}
        columns={[
          { label: "Key", cell: ({ account, key }) => <a href={toKeysPath(account)}>{toKeyName(key)}</a> },
          { label: "Mode", cell: ({ key }) => key.mode },
          { label: "Account", cell: ({ account }) => <a href={toAccountPath(account.id)}>{account.name}</a> },
        ]}
      />
    </Card>
  );
}
