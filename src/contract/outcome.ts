import { z } from "@hono/zod-openapi";
import { OUTCOMES } from "../model/job";
import { OUTCOME_HELP } from "../model/outcome-help";

/** The kind of page that a scrape or parse got. */
export const Outcome = z.enum(OUTCOMES).openapi("Outcome", { description: toDescription() });

function toDescription(): string {
  const rows = OUTCOMES.map((outcome) => `| \`${outcome}\` | ${OUTCOME_HELP[outcome].meaning} |`);
  const head = ["The kind of page that was received. Later versions may add outcomes.", ""];
  return [...head, "| outcome | meaning |", "|---|---|", ...rows].join("\n");
}
