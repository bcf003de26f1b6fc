import { z } from "@hono/zod-openapi";
import { dataResponse } from "./fields";

export const Alive = dataResponse("Alive", z.object({ status: z.literal("alive") }));

/** The outcome of checking one part of the service. */
export type CheckResult = "ok" | "failed" | "timeout";

export const Ready = dataResponse(
  "Ready",
  z.object({
    status: z.literal("ready"),
    browser: z.enum(["ok", "failed", "timeout"]).openapi({
      description:
        "The state of the browser. Unless it is `ok`, jobs that need a browser wait. Other jobs aren't affected.",
    }),
  }),
);
