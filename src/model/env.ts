import type { ApiKey } from "./api-key";

/** The type parameter of Hono: the Worker's bindings, and the variables that middleware sets for handlers. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** The time at which the request arrived, in Unix ms. */
    startedAt: number;
    caller: ApiKey;
    /** The rate window that counted the request. `resetAt` is in Unix ms. */
    rate: { limit: number; remaining: number; resetAt: number };
    /** The tag of the matched operation in the API reference. Undefined for undocumented routes. */
    tag: string | undefined;
    /** For the request log: the error code of the response, and the id of the job that the request is about. */
    errorCode: string | undefined;
    jobId: string | undefined;
  };
}
