import type { ListedAccount } from "../../../store/account-summaries";
import { Card, EmptyState, StatusBadge, TableCell, Time } from "../../ui/components";
import { MAX_OFFSET, UncountedPagination } from "../../ui/pagination";
import { Commands } from "./commands";

interface AccountListProps {
  /** Up to `limit` accounts, plus one more if there is a next page. */
  accounts: ListedAccount[];
  search: string;
  limit: number;
  offset: number;
}

/** The list of accounts that match the search, and the command that invites a user. */
export function AccountList({ accounts, search, limit, offset }: AccountListProps) {
  const shown = accounts.slice(0, limit);
  const href = (at: number) => `/dashboard/admin?search=${encodeURIComponent(search)}&offset=${at}`;
  return (
    <>
      <Card>
        <form method="post" action="/dashboard/admin/find" class="row search">
          <label class="visually-hidden" for="search">
            Job, request, key, account or email address
          </label>
          <input
            id="search"
            name="search"
            type="search"
            value={search}
            placeholder="Job, request ID, key, account or email"
            aria-describedby="search-hint"
          />
          <button class="button" type="submit">
            Search
          </button>
        </form>
        <p class="small muted" id="search-hint">
          Enter the ID of a job, batch, crawl, delivery or request (X-Request-Id), an API key or its beginning, a part
          of an account's name, or the beginning of an account's ID or of an email address.
        </p>
        {shown.length === 0 ? (
          <EmptyState title="No matching accounts">
            <p>Search for a part of a name, or for the beginning of an ID or email address.</p>
          </EmptyState>
        ) : (
          <div class="table-scroll">
            <table class="stacking">
              <caption class="visually-hidden">Accounts</caption>
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col">Plan</th>
                  <th scope="col" class="number">
                    Balance
                  </th>
                  <th scope="col" class="number">
                    Credits used
                  </th>
                  <th scope="col">Created</th>
                  <th scope="col">Status</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((account) => (
                  <AccountRow account={account} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p class="small muted">Balances can be up to 15 minutes old. An account's page shows its current balance.</p>
        <UncountedPagination {...{ offset, limit, href }} more={accounts.length > limit && offset < MAX_OFFSET} />
      </Card>
      <Card title="Invite a user">
        <p class="muted">
          The command prints a sign-in link for the user. It works once and verifies the user's email address.
        </p>
        <Commands lines={["sign-in <email>"]} />
      </Card>
    </>
  );
}

function AccountRow({ account }: { account: ListedAccount }) {
  return (
    <tr>
      <TableCell of="Account">
        <a href={`/dashboard/admin/accounts/${encodeURIComponent(account.id)}`}>{account.name}</a>
      </TableCell>
      <TableCell of="Plan">{account.plan}</TableCell>
      <TableCell of="Balance" class="number">
        {toFigure(account.balance)}
      </TableCell>
      <TableCell of="Credits used" class="number">
        {toFigure(account.used)}
      </TableCell>
      <TableCell of="Created" class="when">
        <Time at={account.createdAt} />
      </TableCell>
      <TableCell of="Status">
        <StatusBadge is={account.suspendedAt === null ? "active" : "suspended"} />
      </TableCell>
    </tr>
  );
}

/** Formats a number from the account's last summary. Returns a dash if there is no summary yet. */
function toFigure(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en");
}
