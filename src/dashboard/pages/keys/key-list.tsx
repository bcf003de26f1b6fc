import type { ListedKey } from "../../../model/api-key";
import { StatusBadge, TableCell, Time } from "../../ui/components";

/** The table of keys. */
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
            <th scope="col">Allowed IPs</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Status</th>
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
      <TableCell of="Allowed IPs">
        <AllowedIps of={key.allowedIps} />
      </TableCell>
      <TableCell of="Created">
        <Time at={key.createdAt} />
      </TableCell>
      <TableCell of="Last used">{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</TableCell>
      <TableCell of="Status">
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

/** The beginning and the end of a key. */
function KeyLabel({ of: key }: { of: Pick<ListedKey, "prefix" | "last4"> }) {
  return (
    <code class="nowrap">
      {key.prefix}…{key.last4}
    </code>
  );
}

/** The allowed IPs of a key. A long list is collapsed. */
export function AllowedIps({ of: ranges }: { of: string[] }) {
  if (ranges.length === 0) return "any";
  if (ranges.length <= 3) return <span class="mono lines">{ranges.join("\n")}</span>;
  return (
    <details>
      <summary>{ranges.length} ranges</summary>
      <span class="mono lines">{ranges.join("\n")}</span>
    </details>
  );
}

/** Returns the name of a key. For a key without a name, returns its beginning and its end. */
export function toKeyName({ name, prefix, last4 }: Pick<ListedKey, "name" | "prefix" | "last4">): string {
  return name ?? `${prefix}…${last4}`;
}

/** The form that revokes a key. */
export function RevokeForm({ of: key }: { of: ListedKey }) {
  return (
    <form method="post" action={`/dashboard/keys/${encodeURIComponent(key.id)}/revoke`} class="card narrow">
      <dl class="facts">
        {key.name === null ? null : (
          <>
            <dt>Name</dt>
            <dd>{key.name}</dd>
          </>
        )}
        <dt>Key</dt>
        <dd>
          <KeyLabel of={key} />
        </dd>
        <dt>Mode</dt>
        <dd>{key.mode}</dd>
        <dt>Last used</dt>
        <dd>{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</dd>
      </dl>
      {key.revokedAt === null ? (
        <>
          <p>
            All requests with this key will be refused. You can't undo this. Jobs that were created with the key
            continue.
          </p>
          <div class="row">
            <button class="button danger" type="submit">
              Revoke key
            </button>
            <a class="button quiet" href="/dashboard/keys">
              Cancel
            </a>
          </div>
        </>
      ) : (
        <p>
          This key was revoked on <Time at={key.revokedAt} />. <a href="/dashboard/keys">All API keys</a>
        </p>
      )}
    </form>
  );
}
