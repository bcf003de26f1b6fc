import { z } from "@hono/zod-openapi";
import { ErrorBody } from "./common";

const Answer = z.enum(["ok", "failed", "timeout"]);
export type Answer = z.infer<typeof Answer>;

export const Alive = z
  .object({ success: z.literal(true), data: z.object({ status: z.literal("alive") }) })
  .openapi("Alive");

const Parts = z.object({
  database: Answer,
  store: Answer,
  durable_objects: Answer,
  queues: Answer,
  browser: Answer.openapi({ description: "Reported, not required: without it only what needs rendering waits." }),
});
export type Parts = z.infer<typeof Parts>;

export const Ready = z
  .object({ success: z.literal(true), data: z.object({ status: z.literal("ready"), parts: Parts }) })
  .openapi("Ready");

export const NotReady = ErrorBody.extend({
  data: z.object({ status: z.literal("not_ready"), parts: Parts }),
}).openapi("NotReady");
