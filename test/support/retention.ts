import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { readState } from "../../src/account/credits/account-row";
import { applyRetention } from "../../src/account/retention/retention";
import { Transaction } from "../../src/account/storage/transaction";
import type { AccountRef } from "../../src/model/account";
import { objectOf } from "./account";

/**
 * Runs retention until no step is due. `now` is in Unix ms. Returns the time (Unix ms) of the next step, or null if no
 * step is planned.
 */
export async function retain(account: AccountRef, now: number, variables: Partial<Env> = {}): Promise<number | null> {
  for (let step = 0; step < 200; step++) {
    const next = await runInDurableObject(objectOf(account), async (_, { storage }) => {
      const bindings = { ...env, ...variables } as Env;
      return await applyRetention({
        env: bindings,
        account,
        now,
        transaction: (work) =>
          storage.transactionSync(() => {
            const state = readState(storage.sql);
            if (state === null) throw new Error("The account isn't open.");
            const totals = {
              reserved: 0,
              reservedByKey: {},
              keyCredits: null,
              modelLimit: null,
              keyLimits: {},
              jobSlots: 0,
              renderSlots: 0,
              waits: 0,
              batches: 0,
              lastBatch: "",
            };
            return work(new Transaction(storage.sql, bindings, state, totals, now));
          }),
      });
    });
    if (next === null || next > now + 60_000) return next;
  }
  throw new Error("Retention doesn't end.");
}
