import type { AuditEntry } from "../../store/audit";
import { Card, Empty, Time } from "../components/parts";

interface Props {
  /** One more than `limit` when there are older ones. */
  entries: (AuditEntry & { id: number })[];
  limit: number;
  withAccount: boolean;
  /** The address of the whole log. */
  href: string;
}

export function AuditList({ entries, limit, withAccount, href }: Props) {
  const shown = entries.slice(0, limit);
  if (shown.length === 0) return <Empty title="Nothing was done yet" />;
  return (
    <Card>
      <div class="table-scroll">
        <table>
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
                <td>
                  <Time at={entry.at} />
                </td>
                <td>{entry.actor}</td>
                <td>
                  {entry.action} <code>{JSON.stringify(entry.detail)}</code>
                </td>
                {withAccount ? <td>{accountLink(entry.accountId)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {entries.length > limit ? (
        <nav class="pages" aria-label="Pages">
          <a class="button quiet small" href={`${href}?before=${shown.at(-1)?.id}`} rel="next">
            Older
          </a>
        </nav>
      ) : null}
    </Card>
  );
}

function accountLink(id: string | null) {
  return id === null ? "none yet" : <a href={`/dashboard/admin/accounts/${encodeURIComponent(id)}`}>{id}</a>;
}
