// The results of jobs with `store: false`. A result counts as read after a response contained all of it, or after its
// webhook event was delivered.
import { callAccountOrGone } from "../account/client";
import { log, toLogged } from "../lib/log";
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import type { Job } from "../model/job";

/** The maximum number of results that one call deletes. */
const RESULTS_PER_CALL = 100;

/** Deletes the result of a job with `store: false` after it was read. See `discardResults`. */
export async function discardResult(env: Env, { account, mode, id }: Pick<Job, "account" | "mode" | "id">) {
  await discardResults(env, { account, mode }, [id]);
}

/** Deletes read results of jobs with `store: false`. Never throws: the alarm deletes them after one hour. */
export async function discardResults(
  env: Env,
  { account, mode }: { account: AccountRef; mode: Mode },
  ids: readonly string[],
): Promise<void> {
  try {
    for (let i = 0; i < ids.length; i += RESULTS_PER_CALL) {
      const part = ids.slice(i, i + RESULTS_PER_CALL);
      await callAccountOrGone(env, account, (stub) => stub.discardResults(mode, part));
    }
  } catch (error) {
    log("warn", "results_not_discarded", { account_id: account.id, ...toLogged(error) });
  }
}
