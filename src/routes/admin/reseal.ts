import { Hono } from "hono";
import { z } from "zod";
import { resealAccount } from "../../jobs/reseal";
import { lazyModule } from "../../lib/lazy";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { listAccountRefs } from "../../store/accounts";
import { readBody } from "./input";

/** The number of accounts that one request processes. Each account needs a few calls of its Durable Object. */
const ACCOUNTS = 25;

// Loaded on demand, because better-auth is large.
const loadTwoFactors = lazyModule(() => import("../../dashboard/auth/reseal-two-factors"));

export const reseal = new Hono<AppEnv>();

const Body = z.strictObject({ after: z.string().nullable().default(null) });

/**
 * Encrypts the secrets of the next 25 accounts with the current keys. `next` is the value of `after` for the next
 * request, or null if all accounts were processed. The last request also encrypts the secrets of two-factor sign-in.
 */
reseal.post("/reseal", async (c) => {
  const { after } = await readBody(c, Body);
  const accounts = await listAccountRefs(c.env.DB, { after: after ?? "", limit: ACCOUNTS });
  const data = { accounts: accounts.length, resealed: 0, unreadable: [] as string[], unreachable: [] as string[] };
  for (const account of accounts) {
    try {
      const done = await resealAccount(c.env, account);
      data.resealed += done?.resealed ?? 0;
      if ((done?.unreadable ?? 0) > 0) data.unreadable.push(account.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      data.unreachable.push(account.id);
    }
  }
  if (accounts.length === ACCOUNTS) {
    return c.json({ success: true, data: { ...data, next: accounts.at(-1)?.id ?? null, two_factor: null } });
  }
  const { resealTwoFactors } = await loadTwoFactors();
  return c.json({ success: true, data: { ...data, next: null, two_factor: await resealTwoFactors(c.env) } });
});
