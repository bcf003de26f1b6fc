import { Hono } from "hono";
import { z } from "zod";
import { EVENT_LOG_NAME } from "../../account/events";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { readQuery } from "./input";

export const events = new Hono<AppEnv>();

const time = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => Date.parse(text));

const EventQuery = z.strictObject({
  host: z.string().optional(),
  since: time.optional(),
  until: time.optional(),
  account: z.string().optional(),
  key: z.string().optional(),
  mode: z.string().optional(),
  endpoint: z.string().optional(),
  status: z.string().optional(),
  outcome: z.string().optional(),
  code: z.string().optional(),
  limit: z.coerce.number().int().min(0).max(1_000).default(50),
});

/**
 * Returns events of ended jobs from the local event log. A deployed service writes these events to Analytics Engine.
 */
events.get("/events", async (c) => {
  const query = readQuery(c, EventQuery);
  if (c.env.LOCAL_EVENTS !== "on") {
    throw new AppError("not_found", "This service has no event log. Query Analytics Engine instead.");
  }
  return c.json({ success: true, data: await c.env.EVENT_LOG.getByName(EVENT_LOG_NAME).query(query) });
});
