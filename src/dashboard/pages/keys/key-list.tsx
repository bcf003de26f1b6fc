import { toCount } from "../../../lib/count";
import { isExpired, type ListedKey, SCOPES } from "../../../model/api-key";
import { RelativeTime, StatusBadge, TableCell, Time, TimeUntil } from "../../ui/components";
import { Permitted, PostForm } from "../../ui/post-form";

interface KeyTableProps {
  keys: ListedKey[];
  /** The credits that each key has used in this period, by key id. */
  used: Record<string, number>;
  now: number;
}

/** The table of keys. */
export function KeyTable({ keys, used, now }: KeyTableProps) {
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
            <th scope="col">Used in this period</th>
            <th scope="col">Status</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow of={key} used={used[key.id] ?? 0} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ of: key, used, now }: { of: ListedKey; used: number; now: number }) {
  const path = `/dashboard/keys/${encodeURIComponent(key.id)}`;
  const name = toKeyName(key);
  const isActive = key.revokedAt === null && !isExpired(key, now);
  return (
    <tr>
      <TableCell of="Key">
        {key.name === null ? null : <strong class="block">{key.name}</strong>}
        <KeyLabel of={key} />
      </TableCell>
      <TableCell of="Mode">
        <span class="tag">{key.mode}</span>
      </TableCell>
      <TableCell of="Scopes">{key.scopes.length === SCOPES.length ? "all" : key.scopes.join(", ")}</TableCell>
      <TableCell of="Allowed IPs">
        <AllowedIps of={key.allowedIps} />
      </TableCell>
      <TableCell of="Created">
        <RelativeTime at={key.createdAt} now={now} />
      </TableCell>
      <TableCell of="Last used">
        {key.lastUsedAt === null ? "never" : <RelativeTime at={key.lastUsedAt} now={now} />}
      </TableCell>
      <TableCell of="Used in this period">
        <UsedCredits of={key} used={used} />
      </TableCell>
      <TableCell of="Status">
        <StatusBadge is={isActive ? "active" : key.revokedAt === null ? "expired" : "revoked"} />
        {isActive ? (
          <>
            <Deadline label="Expires" at={key.expiresAt} now={now} />
            <Deadline
              label="Previous secret expires"
              at={(key.previousExpiresAt ?? 0) > now ? key.previousExpiresAt : null}
              now={now}
            />
          </>
        ) : (
          <span class="block small muted">
            <RelativeTime at={key.revokedAt ?? key.expiresAt ?? now} now={now} />
          </span>
        )}
      </TableCell>
      <TableCell of="Actions" class="actions">
        {isActive ? (
          <Permitted action={path}>
            <a class="button quiet small" href={path} aria-label={`Edit ${name}`}>
              Edit
            </a>{" "}
            <a class="button quiet small" href={`${path}/rotate`} aria-label={`Rotate ${name}`}>
              Rotate
            </a>{" "}
            <a class="button danger small" href={`${path}/revoke`} aria-label={`Revoke ${name}`}>
              Revoke
            </a>
          </Permitted>
        ) : null}
      </TableCell>
    </tr>
  );
}

function UsedCredits({ of: { mode, creditLimit }, used }: { of: ListedKey; used: number }) {
  if (mode === "test") return "free";
  if (creditLimit === null) return toCount(used, "credit");
  return `${used.toLocaleString("en")} of ${toCount(creditLimit, "credit")}`;
}

function Deadline({ label, at, now }: { label: string; at: number | null; now: number }) {
  if (at === null) return null;
  return (
    <span class="block small muted">
      {label} <TimeUntil at={at} now={now} />
    </span>
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
    <PostForm action={`/dashboard/keys/${encodeURIComponent(key.id)}/revoke`} class="card narrow">
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
    </PostForm>
  );
}
