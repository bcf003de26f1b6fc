import type { ApiKey } from "./keys/api-key";

/** Hono's generic: the generated bindings, and what middleware leaves for handlers. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Unix ms at which the request came in. */
    startedAt: number;
    caller: ApiKey;
  };
}
