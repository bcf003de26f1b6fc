import { invalidateKey } from "../keys/invalidate";
import { MINUTE_MS } from "../model/limits";
import { type AccountChange, changeAccount, deletePushes, type GatePush, takeDuePushes } from "../store/accounts";
import { toChangeEntry } from "./audit-entry";

const PUSH_BATCH = 200;
const PUSHES_AT_ONCE = 50;

/** Changes an account and tells the gates of its keys, all of them; those that can't be told now are told by the sweep. */
export async function applyAccountChange(
  env: Env,
  { accountId, change, actor, now }: { accountId: string; change: AccountChange; actor: string; now: number },
): Promise<void> {
  const audit = toChangeEntry({ accountId, change, actor, now });
  await tell(env, await changeAccount(env.DB, { id: accountId, change, wakeAt: now + MINUTE_MS, audit }));
}

/** Tells every gate whose push is due, and returns how many were. Bounded, and may be repeated. */
export async function pushDue(env: Env, now: number): Promise<number> {
  return await tell(env, await takeDuePushes(env.DB, now, PUSH_BATCH, MINUTE_MS));
}

async function tell(env: Env, pushes: GatePush[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < pushes.length; i += PUSHES_AT_ONCE) {
    const some = pushes.slice(i, i + PUSHES_AT_ONCE);
    const told = await Promise.all(some.map(({ hash }) => invalidateKey(env, hash)));
    const done = some.filter((_, at) => told[at]);
    await deletePushes(env.DB, done);
    count += done.length;
  }
  return count;
}
