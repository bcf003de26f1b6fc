import type { AuditAction, AuditEntry } from "../../../store/audit";
import { Card, EmptyState, TableCell, Time } from "../../ui/components";

interface Props {
  /** One more than `limit` when there are older ones. */
  entries: (AuditEntry & { id: number })[];
  limit: number;
  /** Whose log this is; null: of all. */
  accountId: string | null;
  withAccount: boolean;
  title?: string;
}

export function AuditList({ entries, limit, accountId, withAccount, title }: Props) {
  const shown = entries.slice(0, limit);
  if (shown.length === 0) return <EmptyState title="No admin has done anything here" />;
  return (
    <Card {...(title === undefined ? {} : { title })}>
      <div class="table-scroll">
        <table class="stacking">
          <caption class="visually-hidden">What was done</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              {withAccount ? <th scope="col">Account</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr>
                <TableCell of="When" class="when">
                  <Time at={entry.at} />
                </TableCell>
                <TableCell of="Who">{entry.actor}</TableCell>
                <TableCell of="What">
                  {ACTIONS[entry.action]}
                  <Detail of={entry} />
                </TableCell>
                {withAccount ? <TableCell of="Account">{accountLink(entry.accountId)}</TableCell> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {entries.length > limit ? (
        <nav class="pages" aria-label="Pagination">
          <a class="button quiet small" href={toOlder(accountId, shown.at(-1)?.id)} rel="next">
            Older
          </a>
        </nav>
      ) : null}
    </Card>
  );
}

const ACTIONS: Record<AuditAction, string> = {
  "account.create": "Made the account",
  "account.change": "Changed the account",
  "credits.adjust": "Adjusted the credits",
  "key.create": "Made a key",
  "link.create": "Made a link",
};

/** What was changed to what; where an account's own figure was taken back, the plan's holds. */
function Detail({ of: { action, detail } }: { of: AuditEntry }) {
  const none = action === "account.change" ? "the plan's" : "none";
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
  const query = new URLSearchParams({ before: String(before), ...(accountId === null ? {} : { account: accountId }) });
  return `/dashboard/admin/audit?${query}`;
}

function accountLink(id: string | null) {
  return id === null ? "none yet" : <a href={`/dashboard/admin/accounts/${encodeURIComponent(id)}`}>{id}</a>;
}
