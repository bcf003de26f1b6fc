import { z } from "@hono/zod-openapi";

export const Alive = z
  .object({ success: z.literal(true), data: z.object({ status: z.literal("alive") }) })
  .openapi("Alive");

/** The outcome of checking one part of the service. */
export type CheckResult = "ok" | "failed" | "timeout";

export const Ready = z
  .object({
    success: z.literal(true),
    data: z.object({
      status: z.literal("ready"),
      browser: z.enum(["ok", "failed", "timeout"]).openapi({
        description:
          "The state of the browser. Unless it is `ok`, jobs that need a browser wait. Other jobs aren't affected.",
      }),
    }),
  })
  .openapi("Ready");
