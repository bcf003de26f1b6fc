import type { DurableObject } from "cloudflare:workers";

export type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

interface Changes {
  toEnv: (env: Env) => Env;
  /** What `this.ctx` is afterwards: the runtime wants its own at the beginning. */
  toContext?: (ctx: DurableObjectState) => DurableObjectState;
}

/** The class of a Durable Object as it is, in another environment. */
export function aroundObject<T extends ObjectClass>(Base: T, { toEnv, toContext }: Changes): T {
  const Around = class extends (Base as ObjectClass) {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, toEnv(env));
      if (toContext !== undefined) Object.defineProperty(this, "ctx", { value: toContext(ctx) });
    }
  };
  return Around as unknown as T;
}
