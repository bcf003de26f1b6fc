import { log, toLogged } from "../lib/log";
import { wakeCrawls } from "./crawls";
import { writeJobEvent } from "./events";
import { sendDispatched } from "./queues";
import type { Transaction } from "./transaction";

/**
 * Sends the messages of a committed transaction, wakes its crawls, and writes the events of ended jobs. The object must stay
 * alive until the returned promises have settled. They never reject.
 */
export function startEffects(
  env: Env,
  { dispatched, deliveries, alerts, ended, crawls, state }: Transaction,
): Promise<void>[] {
  for (const job of ended) writeJobEvent(env, job);
  const work: Promise<void>[] = [];
  if (dispatched.length + deliveries.length + alerts.length > 0) {
    // A failure is only logged, because the alarm resends lost messages.
    const sent = sendDispatched(env, dispatched, [...deliveries, ...alerts]).catch((error) =>
      log("warn", "not_sent", toLogged(error)),
    );
    work.push(sent);
  }
  if (crawls.size > 0) work.push(wakeCrawls(env, state.account, [...crawls.values()]));
  return work;
}
