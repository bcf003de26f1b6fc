import { z } from "@hono/zod-openapi";

export const HiddenText = z.enum(["drop", "keep"]).optional().openapi({
  default: "drop",
  description:
    "What happens to text that a reader can't see. `drop` leaves it out. `keep` treats it like visible text. Both report it in `meta.content_warnings`.",
});

export const ContentWarning = z
  .object({
    code: z.enum(["hidden_text", "instructions_in_hidden_text"]).openapi({
      description:
        "`hidden_text`: the page hides sentences in its content. `instructions_in_hidden_text`: hidden text tells an AI what to do. Later versions may add codes.",
    }),
    message: z.string().openapi({ description: "A message for people. It contains no text from the page." }),
    words: z.number().int().optional().openapi({ description: "The number of hidden words. Only with `hidden_text`." }),
  })
  .openapi("ContentWarning");
export type ContentWarning = z.infer<typeof ContentWarning>;
