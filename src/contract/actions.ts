import { z } from "@hono/zod-openapi";
import {
  MAX_ACTION_OUTPUTS,
  MAX_ACTION_TEXT_CHARS,
  MAX_ACTIONS,
  MAX_SCROLL_PX,
  MAX_SELECTOR_CHARS,
  SECOND_MS,
  WAIT_MAX_MS,
} from "../model/limits";
import { ACTION_ELEMENT_MS } from "../model/page-limits";
import { int, integer, text } from "./fields";
import { suggestValue } from "./peer-names";

const Selector = z
  .string("must be a CSS selector, such as '#price'")
  .trim()
  .min(1, "must be a CSS selector")
  .max(MAX_SELECTOR_CHARS, `must have at most ${MAX_SELECTOR_CHARS} characters`)
  .openapi({
    description: "A CSS selector. The action uses the first matching element that is visible, enabled and not covered.",
  });
const Text = text.max(MAX_ACTION_TEXT_CHARS, `must have at most ${MAX_ACTION_TEXT_CHARS} characters`);

const TYPE = "The kind of the action.";

/** The actions by type, without the rules that concern several fields. */
const ACTIONS = [
  z.strictObject({ type: z.literal("click").openapi({ description: TYPE }), selector: Selector }),
  z.strictObject({
    type: z.literal("type").openapi({ description: TYPE }),
    selector: Selector,
    text: Text.openapi({ description: "The text to type. It is a secret: job records show `[redacted]`." }),
    clear: z.boolean().optional().openapi({ description: "If true, the current text of the field is deleted first." }),
  }),
  z.strictObject({
    type: z.literal("press").openapi({ description: TYPE }),
    key: text.min(1, "must be a key, such as 'Enter'").max(50, "must be a key, such as 'Enter'").openapi({
      description: "A key, such as `Enter`, `Tab`, `ArrowDown` or `a`. It can have modifiers, for example `Shift+Tab`.",
    }),
    selector: Selector.optional(),
  }),
  z.strictObject({
    type: z.literal("select").openapi({ description: TYPE }),
    selector: Selector,
    value: Text.optional().openapi({ description: "The value of the option." }),
    label: Text.optional().openapi({ description: "The label of the option. Use it instead of `value`." }),
  }),
  z.strictObject({ type: z.literal("hover").openapi({ description: TYPE }), selector: Selector }),
  z.strictObject({
    type: z.literal("scroll").openapi({ description: TYPE }),
    selector: Selector.optional(),
    by: integer(-MAX_SCROLL_PX, MAX_SCROLL_PX, "pixels").optional().openapi({
      description: "The number of pixels to scroll down. A negative number scrolls up.",
    }),
    to: z.enum(["end", "top"]).optional().openapi({
      description: "`top` scrolls to the top. `end` scrolls to the end, until no new content is loaded.",
    }),
  }),
  z.strictObject({
    type: z.literal("wait").openapi({ description: TYPE }),
    ms: integer(0, WAIT_MAX_MS, "milliseconds")
      .optional()
      .openapi({ description: "The time to wait, in milliseconds." }),
    selector: Selector.optional(),
  }),
  z.strictObject({
    type: z.literal("screenshot").openapi({ description: TYPE }),
    full_page: z
      .boolean()
      .optional()
      .openapi({ description: "If true, the screenshot shows the whole page instead of its visible part." }),
  }),
  z.strictObject({ type: z.literal("html").openapi({ description: TYPE }) }),
] as const;

const ACTION_TYPES = ["click", "type", "press", "select", "hover", "scroll", "wait", "screenshot", "html"] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

const SCRIPTS = /^(?:execute|run|eval|evaluate)?_?(?:java_?script|script|js)?$/;

/** Returns the rule about the type of an action. Suggests our type for the name that a similar service uses. */
function toTypeRule(action: unknown): string {
  if (typeof action !== "object") return `must be an object, such as {"type": "click", "selector": "#more"}`;
  const type = (Object(action) as { type?: unknown }).type;
  const rule = `must be one of ${ACTION_TYPES.join(", ")}`;
  if (typeof type !== "string" || type.length > 40) return rule;
  const name = type
    .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
    .replace(/[-\s]/g, "_")
    .toLowerCase();
  // The given type must come before the advice, because the error quotes it.
  if (name !== "" && SCRIPTS.test(name))
    return `${rule}. Custom scripts aren't supported, because actions are declarative`;
  const suggestion = suggestValue(name, ACTION_TYPES);
  return suggestion === null ? rule : `${rule}. Did you mean '${suggestion}'?`;
}

/** The fields of which an action must have exactly one. */
const ONE_OF: Partial<Record<ActionType, readonly string[]>> = {
  select: ["value", "label"],
  scroll: ["selector", "by", "to"],
  wait: ["ms", "selector"],
};

export const Action = z
  .discriminatedUnion("type", ACTIONS, { error: ({ input }) => toTypeRule(input) })
  .superRefine((action, context) => {
    const names = ONE_OF[action.type];
    if (names === undefined) return;
    const given = names.filter((name) => (action as Record<string, unknown>)[name] !== undefined);
    if (given.length === 1) return;
    const message = `must have exactly one of ${names.map((name) => `'${name}'`).join(", ")}`;
    context.addIssue({ code: "custom", path: [], message });
  });
export type Action = z.infer<typeof Action>;

export const Actions = z
  .array(Action)
  .max(MAX_ACTIONS, `must have at most ${MAX_ACTIONS} entries`)
  .superRefine((actions, context) => {
    for (const type of ["screenshot", "html"] as const) {
      if (actions.filter((action) => action.type === type).length <= MAX_ACTION_OUTPUTS) continue;
      const message = `must have at most ${MAX_ACTION_OUTPUTS} actions of the type '${type}'`;
      context.addIssue({ code: "custom", path: [], message });
    }
  })
  .optional()
  .openapi({
    description: `Up to ${MAX_ACTIONS} actions on the rendered page, in order. The types are \`click\`, \`type\`, \`press\`, \`select\`, \`hover\`, \`scroll\`, \`wait\`, \`screenshot\` and \`html\`. An action waits up to ${ACTION_ELEMENT_MS / SECOND_MS} seconds for its element. If an action fails, the job fails with \`action_failed\`.`,
    example: [
      { type: "click", selector: "#more" },
      { type: "wait", ms: 500 },
    ],
  });

export const ActionResults = z.array(
  z.object({
    index: int.openapi({ description: "The position in `actions`, counted from 0." }),
    type: z.enum(ACTION_TYPES).openapi({ description: TYPE }),
    duration_ms: int,
    url: text.openapi({ description: "The URL of the page after the action, up to 8,192 characters." }),
    screenshot_url: text.optional().openapi({
      description: "A signed link to the PNG of a `screenshot` action. It expires with the result.",
      format: "uri",
    }),
    html: text.optional().openapi({ description: "The markup of an `html` action." }),
    end_reached: z.boolean().optional().openapi({
      description: "Only for a `scroll` to `end`. False if the page was still growing at the limit.",
    }),
  }),
);
