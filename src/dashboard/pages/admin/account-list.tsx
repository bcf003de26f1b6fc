import type { ListedAccount } from "../../../store/account-summaries";
import { Card, EmptyState, StatusBadge, TableCell, Time } from "../../ui/components";
import { type FormErrors, TextField } from "../../ui/form";
import { MAX_OFFSET, UncountedPagination } from "../../ui/pagination";

interface AccountListProps {
  /** Up to `limit` accounts, or one more if there is a next page. */
  accounts: ListedAccount[];
  search: string;
  limit: number;
  offset: number;
  /** The refused form of an invitation. */
  invited: { email?: string; errors?: FormErrors };
}

/** The accounts that match the search, and the form that invites a user. */
export function AccountList({ accounts, search, limit, offset, invited }: AccountListProps) {
  const shown = accounts.slice(0, limit);
  const href = (at: number) => `/dashboard/admin?search=${encodeURIComponent(search)}&offset=${at}`;
  return (
    <>
      <Card>
        <form method="get" action="/dashboard/admin" class="row search">
          <label class="visually-hidden" for="search">
            Name, id or email address
          </label>
          <input id="search" name="search" type="search" value={search} placeholder="Name, id or email" />
          <button class="button" type="submit">
            Search
          </button>
        </form>
        {shown.length === 0 ? (
          <EmptyState title="No account matches">
            <p>Search for part of a name, or for the beginning of an id or email address.</p>
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
                    Used
                  </th>
                  <th scope="col">Since</th>
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
        <p class="small muted">Balances can be 15 minutes old. An account's own page shows the current ones.</p>
        <UncountedPagination {...{ offset, limit, href }} more={accounts.length > limit && offset < MAX_OFFSET} />
      </Card>
      <Card title="Invite a user">
        <p class="muted">
          Creates a link that signs the user in once and verifies the address. Send it to the user yourself.
        </p>
        <form method="post" action="/dashboard/admin/invite" class="fields two">
          <TextField
            name="email"
            label="Email"
            type="email"
            required
            autocomplete="off"
            inputmode="email"
            value={invited.email}
            errors={invited.errors}
          />
          <div class="field end">
            <button class="button primary" type="submit">
              Create link
            </button>
          </div>
        </form>
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
      <TableCell of="Used" class="number">
        {toFigure(account.used)}
      </TableCell>
      <TableCell of="Since" class="when">
        <Time at={account.createdAt} />
      </TableCell>
      <TableCell of="Status">
        <StatusBadge is={account.suspendedAt === null ? "active" : "suspended"} />
      </TableCell>
    </tr>
  );
}

/** Returns a figure of the account's last report. An account that has reported nothing shows a dash. */
function toFigure(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en");
}
