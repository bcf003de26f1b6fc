import type { KeyWork } from "../../../account/batches/batch-types";
import { toCount } from "../../../lib/count";
import { isExpired, type ListedKey, SCOPES } from "../../../model/api-key";
import { Facts, LinkButton, StatusBadge, Time } from "../../ui/components";
import { Checkbox } from "../../ui/form";
import { Permitted, PostButton, PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";

interface KeyTableProps {
  keys: ListedKey[];
  /** The credits that each key has used in this period, by key id. */
  used: Record<string, number>;
  now: number;
}

export function KeyTable({ keys, used, now }: KeyTableProps) {
  return (
    <Table
      caption="API keys, newest first"
      rows={keys}
      columns={[
        { label: "Key", cell: (key) => <NamedKey of={key} /> },
        { label: "Scopes", cell: ({ scopes }) => (scopes.length === SCOPES.length ? "all" : scopes.join(", ")) },
        { label: "Allowed IPs", cell: ({ allowedIps }) => <AllowedIps of={allowedIps} /> },
        { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: "Last used",
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Time at={lastUsedAt} />),
        },
        { label: "Used in this period", cell: (key) => <UsedCredits of={key} used={used[key.id] ?? 0} /> },
        { label: "Status", cell: (key) => <KeyStatus of={key} now={now} /> },
        {
          label: "Actions",
          class: "actions",
          isHidden: true,
          cell: (key) => (isActive(key, now) ? <KeyActions of={key} /> : null),
        },
      ]}
    />
  );
}

/** The applications that use the account through OAuth. Their names are their own, so the host is shown too. */
export function ConnectionTable({ connections, used }: { connections: ListedKey[]; used: Record<string, number> }) {
  return (
    <Table
      caption="Connected applications, newest first"
      rows={connections}
      columns={[
        { label: "Application", cell: (key) => <strong>{key.name}</strong> },
        { label: "Access is sent to", cell: ({ receiver }) => <code>{receiver}</code> },
        { label: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
        { label: "Connected", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Time at={lastUsedAt} />) },
        { label: "Used in this period", cell: (key) => <UsedCredits of={key} used={used[key.id] ?? 0} /> },
        {
          label: "Actions",
          class: "actions",
          isHidden: true,
          cell: (key) => (
            <PostButton
              action={`/dashboard/keys/${encodeURIComponent(key.id)}/revoke`}
              confirm={`Disconnect ${key.name}? Its unfinished jobs are canceled.`}
              tone="danger"
              label="Disconnect"
              about={key.name ?? ""}
            />
          ),
        },
      ]}
    />
  );
}

function isActive(key: ListedKey, now: number): boolean {
  return key.revokedAt === null && !isExpired(key, now);
}

function NamedKey({ of: key }: { of: ListedKey }) {
  return (
    <>
      {key.name === null ? null : <strong class="block">{key.name}</strong>}
      <KeyLabel of={key} />
    </>
  );
}

function KeyStatus({ of: key, now }: { of: ListedKey; now: number }) {
  const { revokedAt, expiresAt, previousExpiresAt } = key;
  if (!isActive(key, now)) {
    return (
      <>
        <StatusBadge is={revokedAt === null ? "expired" : "revoked"} />
        <span class="block small muted">
          <Time at={revokedAt ?? expiresAt ?? now} />
        </span>
      </>
    );
  }
  return (
    <>
      <StatusBadge is="active" />
      <Deadline label="Expires" at={expiresAt} />
      <Deadline label="Previous secret expires" at={(previousExpiresAt ?? 0) > now ? previousExpiresAt : null} />
    </>
  );
}

function KeyActions({ of: key }: { of: ListedKey }) {
  const path = `/dashboard/keys/${encodeURIComponent(key.id)}`;
  const name = toKeyName(key);
  return (
    <Permitted action={path}>
      <LinkButton href={path} tone="quiet" small label="Edit" about={name} />{" "}
      <LinkButton href={`${path}/rotate`} tone="quiet" small label="Rotate" about={name} />{" "}
      <LinkButton href={`${path}/revoke`} tone="danger" small label="Revoke" about={name} />
    </Permitted>
  );
}

function UsedCredits({ of: { mode, creditLimit }, used }: { of: ListedKey; used: number }) {
  if (mode === "test") return "free";
  if (creditLimit === null) return toCount(used, "credit");
  return `${used.toLocaleString("en")} of ${toCount(creditLimit, "credit")}`;
}

function Deadline({ label, at }: { label: string; at: number | null }) {
  if (at === null) return null;
  return (
    <span class="block small muted">
      {label} <Time at={at} />
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

/** The form that revokes a key. `work` is its unfinished work, which the revocation stops. */
export function RevokeForm({ of: key, work }: { of: ListedKey; work: KeyWork }) {
  const isIdle = work.jobs === 0 && work.batches === 0;
  return (
    <PostForm
      action={`/dashboard/keys/${encodeURIComponent(key.id)}/revoke`}
      class="card narrow"
      tone="danger"
      submit="Revoke key"
      cancel="/dashboard/keys"
    >
      <Facts
        of={[
          key.name === null ? null : ["Name", key.name],
          ["Key", <KeyLabel of={key} />],
          ["Mode", key.mode],
          ["Last used", key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />],
        ]}
      />
      <p>
        All requests with this key will be refused. You can't undo this.
        {isIdle ? null : (
          <>
            {" "}
            The key has {toCount(work.jobs, "unfinished job")} and{" "}
            {toCount(work.batches, "unfinished batch or crawl", "unfinished batches and crawls")}. The jobs are
            canceled. The batches and crawls stop, and can be resumed with another key.
          </>
        )}
      </p>
      <Checkbox
        name="keep_jobs"
        label="Let unfinished jobs, batches and crawls continue"
        checked={false}
        hint="Choose this if you replace the key. Don't choose it if the key may be known to others."
      />
    </PostForm>
  );
}
