import type { ListedKey } from "../../../model/api-key";
import { GRACE_PERIOD_DEFAULT_S } from "../../../model/limits";
import { SelectField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** The grace periods of the form, in seconds. */
const GRACE_PERIODS = [
  ["0", "0 seconds: it stops working immediately"],
  [String(HOUR_S), "1 hour"],
  [String(DAY_S), "1 day"],
  [String(7 * DAY_S), "7 days"],
  [String(30 * DAY_S), "30 days"],
] as const;

/** Returns the selected grace period in seconds. Returns the default for any other value. */
export function readGracePeriod(value: string | undefined): number {
  return GRACE_PERIODS.some(([known]) => known === value) ? Number(value) : GRACE_PERIOD_DEFAULT_S;
}

/** The form that replaces the secret of a key. */
export function RotateForm({ of: key, now }: { of: ListedKey; now: number }) {
  return (
    <PostForm action={`/dashboard/keys/${encodeURIComponent(key.id)}/rotate`} class="card fields narrow">
      <p>
        The key gets a new secret. Its name, permissions, usage and limit stay the same. Replace the secret in your
        programs before the current secret stops working.
      </p>
      {(key.previousExpiresAt ?? 0) > now ? (
        <p class="notice busy">The secret from the previous rotation stops working immediately.</p>
      ) : null}
      <SelectField
        name="grace_period_s"
        label="Keep the current secret for"
        value={String(GRACE_PERIOD_DEFAULT_S)}
        options={GRACE_PERIODS}
      />
      <div class="row">
        <button class="button primary" type="submit">
          Rotate key
        </button>
        <a class="button quiet" href="/dashboard/keys">
          Cancel
        </a>
      </div>
    </PostForm>
  );
}
