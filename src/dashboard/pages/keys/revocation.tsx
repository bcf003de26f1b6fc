import type { ListedKey } from "../../../model/api-key";
import { Time } from "../../ui/components";
import { KeyLabel } from "./list";

/** Asks before a key is revoked, which can't be undone. */
export function Revocation({ of: key }: { of: ListedKey }) {
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
            From the next request on, everything that uses this key is refused. This can't be undone. Jobs that it has
            begun go on.
          </p>
          <div class="row">
            <button class="button danger" type="submit">
              Revoke the key
            </button>
            <a class="button quiet" href="/dashboard/keys">
              Keep it
            </a>
          </div>
        </>
      ) : (
        <p>
          It was revoked on <Time at={key.revokedAt} />. <a href="/dashboard/keys">All keys</a>
        </p>
      )}
    </form>
  );
}
