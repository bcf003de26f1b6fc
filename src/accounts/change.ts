import { log, toLogged } from "../lib/log";
import { MINUTE_MS } from "../limits";
import { type AccountChange, changeAccount, deletePushes, type GatePush, takeDuePushes } from "../store/accounts";

const PUSH_BATCH = 200;

/** Changes an account and tells the gates of its keys; those that can't be told now are told by the sweep. */
export async function applyAccountChange(
  env: Env,
  accountId: string,
  change: AccountChange,
  now: number,
): Promise<void> {
  await changeAccount(env.DB, accountId, change, now);
  await pushDue(env, now);
}

/** Tells every gate whose push is due. Bounded, and may be repeated. */
export async function pushDue(env: Env, now: number): Promise<number> {
  const due = await takeDuePushes(env.DB, now, PUSH_BATCH, MINUTE_MS);
  const told = await Promise.all(due.map((push) => tell(env, push)));
  const done = due.filter((_, i) => told[i]);
  await deletePushes(env.DB, done);
  return done.length;
}

async function tell(env: Env, push: GatePush): Promise<boolean> {
  try {
    return await env.KEY_GATE.getByName(push.hash).refresh(push.hash);
  } catch (error) {
    log("warn", "push_failed", toLogged(error));
    return false;
  }
}
