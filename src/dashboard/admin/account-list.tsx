import type { Account } from "../../store/accounts";
import { TextField } from "../components/form";
import { Card, Empty, Status, Time } from "../components/parts";

interface Props {
  /** One more than `limit` when there are more. */
  accounts: Account[];
  search: string;
  limit: number;
  offset: number;
}

export function AccountList({ accounts, search, limit, offset }: Props) {
  const shown = accounts.slice(0, limit);
  const href = (at: number) => `/dashboard/admin?search=${encodeURIComponent(search)}&offset=${at}`;
  return (
    <>
      <Card>
        <form method="get" action="/dashboard/admin" class="row search">
          <label class="visually-hidden" for="search">
            Name, id or address
          </label>
          <input id="search" name="search" type="search" value={search} placeholder="Name, id or e-mail" />
          <button class="button" type="submit">
            Search
          </button>
        </form>
        {shown.length === 0 ? (
          <Empty title="No account fits">
            <p>Search for a part of a name, or the beginning of an id or an address.</p>
          </Empty>
        ) : (
          <div class="table-scroll">
            <table>
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
                  <th scope="col">State</th>
                </tr>
              </thead>
              <tbody>{shown.map((account) => row(account))}</tbody>
            </table>
          </div>
        )}
        <nav class="pages" aria-label="Pages">
          {offset > 0 ? <a href={href(Math.max(0, offset - limit))}>Newer</a> : null}
          {accounts.length > limit ? <a href={href(offset + limit)}>Older</a> : null}
        </nav>
      </Card>
      <Card title="Invite somebody">
        <p class="muted">Makes a link that signs its user in once and proves the address. Hand it on yourself.</p>
        <form method="post" action="/dashboard/admin/invite" class="fields two">
          <TextField name="email" label="E-mail" type="email" required autocomplete="off" inputmode="email" />
          <div class="field end">
            <button class="button primary" type="submit">
              Make a link
            </button>
          </div>
        </form>
      </Card>
    </>
  );
}

function row(account: Account) {
  return (
    <tr>
      <td>
        <a href={`/dashboard/admin/accounts/${encodeURIComponent(account.id)}`}>{account.name}</a>
      </td>
      <td>{account.plan}</td>
      <td class="number">{account.balance.toLocaleString("en")}</td>
      <td class="number">{account.used.toLocaleString("en")}</td>
      <td>
        <Time at={account.createdAt} />
      </td>
      <td>
        <Status is={account.suspendedAt === null ? "active" : "suspended"} />
      </td>
    </tr>
  );
}
