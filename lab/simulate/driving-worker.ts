// The service with routes that call an account's Durable Object directly. Only `npm run lab -- saturate` uses this
// Worker.

import type { JobEnd, NewJob } from "../../src/account/storage/types";
import { changeAccount, createAccount, createAccountKey } from "../../src/directory/accounts";
import worker, * as product from "../../src/index";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { PLAN_LIMITS, PLANS } from "../../src/model/plan";
import { toPrices } from "../../src/model/prices";
import { mustGetAccount, toAccountRef } from "../../src/store/accounts";

export * from "../../src/index";

const URL_CHARS = 60;
const CREDITS = 10_000_000;
const RATE_PER_MINUTE = 1_000_000;
/** This limit is higher than the number of jobs that the driver creates. */
const CONCURRENT_JOBS = 1_000_000;

export type Step = "create" | "claim" | "finish";

/**
 * The account's Durable Object. An additional method executes many steps in one call, which measures their time without
 * RPC.
 */
export class Account extends product.Account {
  #ids: string[] = [];

  /**
   * Executes one step for each job. `create` inserts `jobs` jobs; `claim` and `finish` use the jobs of the last
   * `create`.
   */
  run(step: Step, { account, jobs, waiting }: { account: AccountRef; jobs: number; waiting: boolean }): void {
    if (step === "create") this.#ids = Array.from({ length: jobs }, () => newTaggedId(account.tag));
    for (const id of this.#ids) {
      if (step === "create") assertKind(this.createJob(toNewJob(id, waiting)).kind, "created");
      else if (step === "claim") assertKind(this.claim({ mode: "live", id }, id).kind, "run");
      else assertKind(this.finish({ mode: "live", id }, 1, toEnd()).kind, "ended");
    }
  }

  bytes(): number {
    return this.ctx.storage.sql.databaseSize;
  }
}

function assertKind(found: string, expected: string): void {
  if (found !== expected) throw new Error(`The account's object should return '${expected}', but returned '${found}'.`);
}

function toNewJob(id: string, waiting: boolean): NewJob {
  const url = `https://target.example/${"p".repeat(URL_CHARS)}`;
  return {
    mode: "live",
    id,
    keyId: "driver",
    endpoint: "scrape",
    request: JSON.stringify({ url, formats: ["markdown"] }),
    subject: url,
    rendered: false,
    waiting,
    webhookUrl: null,
    origin: "https://api.extraction.example",
    credits: 1,
    plan: { method: "plain", lines: [{ item: "scrape", credits: 1 }] },
    prices: toPrices({}),
    createdAt: Date.now(),
    idempotency: null,
  };
}

/** Returns the end of a job whose result is stored in R2. */
function toEnd(): JobEnd {
  return { status: "completed", result: null, extras: {}, charge: 1, processingTimeMs: 500, endedAt: Date.now() };
}

function getStub(env: Env, account: AccountRef): Account {
  return env.ACCOUNT.getByName(account.object) as unknown as Account;
}

/** Creates, claims and finishes jobs with one RPC call for each step, as the service does. */
async function callSteps(env: Env, { account, jobs, parallel, waiting }: Drive): Promise<void> {
  let left = jobs;
  const work = async () => {
    while (left-- > 0) {
      const id = newTaggedId(account.tag);
      const stub = getStub(env, account);
      assertKind((await stub.createJob(toNewJob(id, waiting))).kind, "created");
      if (!waiting) assertKind((await stub.claim({ mode: "live", id }, id)).kind, "run");
      assertKind((await stub.finish({ mode: "live", id }, 1, toEnd())).kind, "ended");
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

export interface Drive {
  account: AccountRef;
  jobs: number;
  parallel: number;
  waiting: boolean;
}

const COMMANDS: Record<string, (env: Env, input: Drive & { step: Step; plan: string }) => Promise<unknown>> = {
  "/__account": async (env, { plan }) => {
    const found = PLANS.find((name) => name === plan) ?? "enterprise";
    const rest = { actor: "simulate", now: Date.now() };
    const limits = { plan: found, ratePerMinute: RATE_PER_MINUTE, monthlyCredits: CREDITS };
    const { id } = await createAccount(env, { name: "Simulated", ...limits, ...rest });
    if (found === "enterprise")
      await changeAccount(env, { accountId: id, change: { concurrentJobs: CONCURRENT_JOBS }, ...rest });
    const key = await createAccountKey(env, { accountId: id, mode: "live", name: null, ...rest });
    return { key, account: toAccountRef(await mustGetAccount(env.DB, id)), slots: PLAN_LIMITS[found].concurrentJobs };
  },
  "/__run": async (env, { step, ...input }) => await getStub(env, input.account).run(step, input),
  "/__call": callSteps,
  "/__bytes": async (env, { account }) => await getStub(env, account).bytes(),
};

export default {
  ...worker,
  async fetch(request, env, ctx) {
    const command = COMMANDS[new URL(request.url).pathname];
    if (command === undefined) return await worker.fetch(request, env, ctx);
    return Response.json((await command(env, await request.json())) ?? null);
  },
} satisfies ExportedHandler<Env, unknown>;
