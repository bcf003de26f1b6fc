import type { ApiKey } from "./api-key";

/** Hono's generic: the generated bindings, and what middleware leaves for handlers. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Unix ms at which the request came in. */
    startedAt: number;
    caller: ApiKey;
    /** For the log: the code of the error that was answered, and the job that this is about. */
    errorCode: string | undefined;
    jobId: string | undefined;
  };
}
