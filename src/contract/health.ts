import { z } from "@hono/zod-openapi";

export const Alive = z
  .object({ success: z.literal(true), data: z.object({ status: z.literal("alive") }) })
  .openapi("Alive");

/** How a part of the service answered. */
export type CheckResult = "ok" | "failed" | "timeout";

export const Ready = z
  .object({
    success: z.literal(true),
    data: z.object({
      status: z.literal("ready"),
      browser: z
        .enum(["ok", "failed", "timeout"])
        .openapi({ description: "Whether pages can be rendered; without it only what needs that waits." }),
    }),
  })
  .openapi("Ready");
