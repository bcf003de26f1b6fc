import { z } from "@hono/zod-openapi";
import { REFUND_REASONS } from "../model/receipt";
import { LOAD_METHODS } from "../model/run-plan";
import { component, dryRunResponse, int, text, time } from "./fields";
import { Strategy } from "./model-options";

const CREDITS_RULE = "must be a whole number of credits, at least 0";

/** The fields of every request that limit or preview its price. */
export const PRICE_OPTIONS = {
  dry_run: z.boolean().optional().openapi({
    description:
      "If true, only checks the request and returns its highest price and the method that would be used. No job is created and nothing is charged.",
  }),
  max_credits: z.int(CREDITS_RULE).min(0, CREDITS_RULE).optional().openapi({
    description:
      "The maximum number of credits that the request may cost. Methods that cost more aren't used. If all methods cost more, the request is refused with `price_limit`.",
    example: 1,
  }),
};

const REASONS = REFUND_REASONS.map((reason) => `\`${reason}\``).join(", ");

const PriceLine = component("PriceLine", {
  item: text.openapi({
    description:
      "`scrape`, `parse`, `serp` and `map` are the base prices. `rendering`, `summary`, `json` and `ocr` are additional prices. `refund` has negative credits. Later versions may add items.",
  }),
  credits: int,
  reason: text.optional().openapi({
    description: `The reason of a refund or of the price of an item: an outcome, an error code, or one of ${REASONS}. \`no_model\` means that no language model was called.`,
  }),
});

export const Receipt = component("Receipt", {
  total: int.openapi({ description: "The sum of the lines. It is the same as `credits_used`." }),
  lines: z.array(PriceLine),
});

export const LoadMethod = z.enum(LOAD_METHODS).openapi("LoadMethod", {
  description:
    "`plain` means a plain request, and `browser` a rendered page. `plain_then_browser` renders the page only if the plain page needs it. `search_api` means a search API that the operator has configured. `given_html` and `given_file` mean that the request contains the page, and `capture` that a kept page is used.",
});

export const DryRun = component("DryRun", {
  max_credits: int.openapi({ description: "The highest price of the request, in credits." }),
  method: LoadMethod,
  model: text.optional().openapi({ description: "The language model, if the request may need one." }),
  strategy: Strategy.optional().openapi({
    description: "The strategy with which the data would be found. Only for a parse and the format `json`.",
  }),
  lines: z.array(PriceLine).openapi({ description: "The parts of `max_credits`." }),
  balance: int.openapi({ description: "The credits that are currently available to the account." }),
  key_limit: z
    .object({
      limit: int,
      used: int,
      reserved: int.openapi({ description: "The credits that unfinished jobs of the key have reserved." }),
      resets_at: time.openapi({ description: "The end of the period." }),
    })
    .optional()
    .openapi({ description: "The credit limit of the API key in this period. Omitted if the key has no limit." }),
  would_wait: z.boolean().openapi({
    description: "True if all concurrency slots of the account are in use. The job would then wait before it starts.",
  }),
});
export type DryRun = z.infer<typeof DryRun>;

export const DryRunResponse = dryRunResponse("DryRunResponse", DryRun);
