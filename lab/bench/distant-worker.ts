// The service with delayed calls to D1, to Durable Objects and to queues, which simulates that they are distant. Only the
// bench uses this Worker.
import worker, * as product from "../../src/index";
import { observeCalls } from "./observe-calls";

interface DistantEnv extends Env {
  /** The delay (ms) that is added to each call. */
  AWAY_MS: string;
  /** `yes` if each request must load the deny lists, as in an isolate that has just started. */
  COLD_LISTS: string;
}

const distantEnvs = new WeakMap<Env, Env>();

/**
 * Returns the environment with delayed bindings. Each `env` always gets the same copy, because the service caches data
 * by binding. With COLD_LISTS, each request gets a new copy.
 */
function toDistant(env: Env): Env {
  const { AWAY_MS, COLD_LISTS } = env as DistantEnv;
  const known = distantEnvs.get(env);
  if (known !== undefined && COLD_LISTS !== "yes") return known;
  const distant = observeCalls(env, async (name, call) => {
    // R2 isn't delayed, because its buckets are read through a cache near the Worker.
    if (!name.startsWith("STORE.")) await new Promise((resolve) => setTimeout(resolve, Number(AWAY_MS)));
    return await call();
  });
  distantEnvs.set(env, distant);
  return distant;
}

export class KeyVerifier extends product.KeyVerifier {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, toDistant(env));
  }
}

export class Account extends product.Account {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, toDistant(env));
  }
}

export * from "../../src/index";

export default {
  fetch: (request, env, ctx) => worker.fetch(request, toDistant(env), ctx),
  queue: (batch, env, ctx) => worker.queue(batch as Parameters<typeof worker.queue>[0], toDistant(env), ctx),
  scheduled: (controller, env) => worker.scheduled(controller, toDistant(env)),
} satisfies ExportedHandler<Env, unknown>;
