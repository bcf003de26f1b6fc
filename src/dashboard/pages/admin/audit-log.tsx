import { isPseudonym } from "../../../directory/erase";
import type { AuditEntry } from "../../../store/audit";
import { Card, Time } from "../../ui/components";
import { PageLinks } from "../../ui/pagination";
import { type Column, Table } from "../../ui/table";
import { toAccountPath } from "./support-view";

export const ENTRIES_PER_PAGE = 50;

interface AuditLogProps {
  /** Up to ENTRIES_PER_PAGE entries, plus one more if there are older entries. */
  entries: (AuditEntry & { id: number })[];
  /** The account whose entries are shown, or null for all accounts. */
  accountId: string | null;
}

export function AuditLog({ entries, accountId }: AuditLogProps) {
  const shown = entries.slice(0, ENTRIES_PER_PAGE);
  const columns = accountId === null ? [...COLUMNS, ACCOUNT_COLUMN] : COLUMNS;
  return (
    <Card {...(accountId !== null && { title: "Audit log" })}>
      <Table caption="Audit log" empty="No entries yet." rows={shown} columns={columns} />
      <PageLinks newer={null} older={entries.length > shown.length ? toOlder(accountId, shown.at(-1)?.id) : null} />
    </Card>
  );
}

const COLUMNS: Column<AuditEntry>[] = [
  { label: "Time", class: "when", cell: ({ at }) => <Time at={at} /> },
  { label: "Actor", cell: ({ actor }) => actor },
  {
    label: "Action",
    cell: (entry) => (
      <>
        {entry.action}
        <Detail of={entry} />
      </>
    ),
  },
];
const ACCOUNT_COLUMN: Column<AuditEntry> = { label: "Account", cell: ({ accountId }) => accountLink(accountId) };

/** The details of an entry. A null in a change means that the plan's limit applies again. */
function Detail({ of: { action, detail } }: { of: AuditEntry }) {
  const none = action === "account.change" ? "plan's limit" : "none";
  return (
    <ul class="detail">
      {Object.entries(detail).map(([name, value]) => (
        <li>
          <code>{name}</code> {toText(value) ?? none}
        </li>
      ))}
    </ul>
  );
}

function toText(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}

function toOlder(accountId: string | null, before: number | undefined): string {
  return `/dashboard/admin/audit?before=${before}${accountId === null ? "" : `&account=${accountId}`}`;
}

function accountLink(id: string | null) {
  if (id === null) return "none yet";
  // The pseudonym of an erased account has no page.
  return isPseudonym(id) ? id : <a href={toAccountPath(id)}>{id}</a>;
}
