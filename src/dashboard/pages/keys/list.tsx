import type { ListedKey } from "../../../model/api-key";
import { StatusBadge, TableCell, Time } from "../../ui/components";

export function KeyTable({ keys }: { keys: ListedKey[] }) {
  return (
    <div class="table-scroll">
      <table class="stacking">
        <caption class="visually-hidden">API keys, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Mode</th>
            <th scope="col">Scopes</th>
            <th scope="col">Addresses</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow of={key} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ of: key }: { of: ListedKey }) {
  return (
    <tr>
      <TableCell of="Key">
        {key.name === null ? null : <strong class="block">{key.name}</strong>}
        <KeyLabel of={key} />
      </TableCell>
      <TableCell of="Mode">
        <span class="tag">{key.mode}</span>
      </TableCell>
      <TableCell of="Scopes">{key.scopes.join(", ")}</TableCell>
      <TableCell of="Addresses">
        <Addresses of={key.allowedIps} />
      </TableCell>
      <TableCell of="Created">
        <Time at={key.createdAt} />
      </TableCell>
      <TableCell of="Last used">{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</TableCell>
      <TableCell of="State">
        {key.revokedAt === null ? (
          <a
            class="button danger small"
            href={`/dashboard/keys/${encodeURIComponent(key.id)}/revoke`}
            aria-label={`Revoke ${toKeyName(key)}`}
          >
            Revoke
          </a>
        ) : (
          <>
            <StatusBadge is="revoked" />
            <span class="block small muted">
              <Time at={key.revokedAt} />
            </span>
          </>
        )}
      </TableCell>
    </tr>
  );
}

/** What a key is recognised by: its secret isn't known here. */
export function KeyLabel({ of: key }: { of: Pick<ListedKey, "prefix" | "last4"> }) {
  return (
    <code class="nowrap">
      {key.prefix}…{key.last4}
    </code>
  );
}

/** A list may have a hundred entries: the first few stand there, the others behind them. */
export function Addresses({ of: ranges }: { of: string[] }) {
  if (ranges.length === 0) return "any";
  if (ranges.length <= 3) return <span class="mono lines">{ranges.join("\n")}</span>;
  return (
    <details>
      <summary>{ranges.length} ranges</summary>
      <span class="mono lines">{ranges.join("\n")}</span>
    </details>
  );
}

export function toKeyName({ name, prefix, last4 }: Pick<ListedKey, "name" | "prefix" | "last4">): string {
  return name ?? `${prefix}…${last4}`;
}
