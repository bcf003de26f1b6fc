// The product's own Worker, with a database that takes its time as the model's does: `npm run saturate` loads it. Local alone.
import worker, * as product from "../../src/index";
import { type Around, aroundDatabase } from "./around-database";
import { aroundObject } from "./around-object";
import { countOpen } from "./open-jobs";
import type { Asked } from "./statement";
import { takeTurn } from "./turn";
import type { Written } from "./written";

/** How long a call takes that only reads, and one that writes, ms. */
interface SlowEnv extends Env {
  SLOW_READ_MS: string;
  SLOW_WRITE_MS: string;
}

// The one database is everybody's: handlers and objects share the isolate locally. A line of promises can't be, since a
// request may not wait for another one's: a turn is a time, and each waits for its own.
let freeAt = 0;
let written: Written[] = [];

const WRITES = /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i;

function slowly({ SLOW_READ_MS, SLOW_WRITE_MS }: SlowEnv): Around {
  return async (asked, make) => {
    const writes = asked.filter(({ sql }) => WRITES.test(sql));
    freeAt = takeTurn(freeAt, Date.now(), Number(writes.length > 0 ? SLOW_WRITE_MS : SLOW_READ_MS));
    const doneAt = freeAt;
    await sleepUntil(doneAt);
    const results = await make();
    for (const one of writes) written.push(toWritten(one, doneAt));
    return results;
  };
}

async function sleepUntil(time: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, time - Date.now()));
}

function toWritten({ sql, values }: Asked, doneAt: number): Written {
  const [, table = ""] = /(?:INTO|UPDATE|FROM)\s+(\w+)/i.exec(sql) ?? [];
  const at = Date.now();
  return { table, id: String(values[0]), at, ownMs: at - doneAt };
}

function toEnv(env: Env): Env {
  return { ...env, DB: aroundDatabase(env.DB, slowly(env as SlowEnv)) };
}

export const KeyVerifier = aroundObject(product.KeyVerifier, { toEnv });
export const RateLimiter = aroundObject(product.RateLimiter, { toEnv });
export const BrowserHost = aroundObject(product.BrowserHost, { toEnv });
export const WebhookDelivery = aroundObject(product.WebhookDelivery, { toEnv });

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__written") {
      const taken = written;
      written = [];
      return Response.json(taken);
    }
    // Nobody stands in line for this.
    if (pathname === "/__open") return Response.json(await countOpen(env.DB, Number(searchParams.get("since"))));
    return await worker.fetch(request, toEnv(env), ctx);
  },
  async queue(batch, env) {
    await worker.queue(batch as Parameters<typeof worker.queue>[0], toEnv(env));
  },
} satisfies ExportedHandler<Env>;
