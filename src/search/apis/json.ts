import { z } from "zod";
import { toFormFailure } from "./failure";
import type { Found } from "./found";

export const text = z.string().catch("");

/** Both providers name the members of a result alike. What is missing is empty: not every result has a snippet. */
export const Results = z.array(
  z
    .object({ title: text, link: text, snippet: text, date: text })
    .catch({ title: "", link: "", snippet: "", date: "" }) satisfies z.ZodType<Found>,
);

/** Throws SearchFailure when the answer isn't what the provider has published. */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: string): T {
  const parsed = schema.safeParse(fromJson(answer));
  if (!parsed.success) throw toFormFailure();
  return parsed.data;
}

function fromJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw toFormFailure();
  }
}
