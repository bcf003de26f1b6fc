import type { JsonSchema, ModelQuestion } from "./model";

/** The form of the answer in words, for where the protocol can't say it. */
export function systemWithForm({ system, schema }: ModelQuestion): string {
  // OpenAI's `json_object` wants the word JSON in the messages.
  const form = "Answer with one JSON object and nothing else: no code fence, no words before or after it.";
  if (schema === null) return `${system}\n\n${form}`;
  return `${system}\n\n${form} It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Providers want to read at the root that it is an object. It is: the question says so. */
export function withObjectRoot(schema: JsonSchema): JsonSchema & { type: "object" } {
  return { ...schema, type: "object" };
}

const FENCE = "```";

/** JSON never begins with a code fence, but models that were only asked for JSON do. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  const head = trimmed.indexOf("\n");
  if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE) || head < 0) return text;
  return trimmed.slice(head + 1, -FENCE.length).trim();
}
