import type { UsageTotal } from "../../../account/usage-totals";
import { Card } from "../../ui/components";
import { toPercent } from "../../ui/format";

/** One row of a table: the usage of a key, an endpoint or an outcome. */
export interface BreakdownRow extends UsageTotal {
  label: string;
  /** The list of the row's jobs. */
  href: string;
}

interface BreakdownProps {
  title: string;
  /** The heading of the first column. */
  by: string;
  rows: BreakdownRow[];
}

/** A table of the usage by key, endpoint or outcome. Each row links to its jobs. */
export function BreakdownCard({ title, by, rows }: BreakdownProps) {
  return (
    <Card title={title}>
      <section class="table-scroll" aria-label={title} tabindex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">Jobs</th>
              <th scope="col">Credits</th>
              <th scope="col">Success rate</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, href, requests, failed, credits }) => (
              <tr>
                <th scope="row">
                  <a href={href}>{label}</a>
                </th>
                <td>{requests.toLocaleString("en")}</td>
                <td>{credits.toLocaleString("en")}</td>
                <td>{toPercent(requests - failed, requests)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
