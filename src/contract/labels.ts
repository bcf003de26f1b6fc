import { z } from "@hono/zod-openapi";
import {
  MAX_METADATA_BYTES,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_KEYS,
  MAX_TAG_CHARS,
  MAX_TAGS,
} from "../model/limits";
import { text } from "./fields";

const TAG_RULE = `must have 1 to ${MAX_TAG_CHARS} characters`;
const TAGS_RULE = `must have at most ${MAX_TAGS} entries`;
const KEY_RULE = `must have names of 1 to ${MAX_METADATA_KEY_CHARS} characters`;
const VALUE_RULE = "must be a string, a number, a boolean";

const Tag = text.trim().min(1, TAG_RULE).max(MAX_TAG_CHARS, TAG_RULE);

const Tags = z
  .array(Tag)
  .max(MAX_TAGS, TAGS_RULE)
  .transform((tags) => [...new Set(tags)]);

const MetadataValue = z.union([text, z.number(), z.boolean()], {
  error: ({ input }) =>
    typeof input === "object" && input !== null
      ? `${VALUE_RULE}; nested values aren't supported, so use a flat map`
      : VALUE_RULE.replace("a number, a", "a number or a"),
});

const Metadata = z.record(text, MetadataValue).superRefine((metadata, context) => {
  const refuse = (message: string, path: string[] = []) => context.addIssue({ code: "custom", path, message });
  const names = Object.keys(metadata);
  if (names.length > MAX_METADATA_KEYS) refuse(`must have at most ${MAX_METADATA_KEYS} entries, not ${names.length}`);
  const isWrong = (name: string) => name.length === 0 || name.length > MAX_METADATA_KEY_CHARS;
  if (names.some(isWrong)) refuse(KEY_RULE);
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).byteLength;
  if (bytes > MAX_METADATA_BYTES) refuse(`must have at most ${MAX_METADATA_BYTES} bytes as JSON, not ${bytes}`);
});

export const LABELS = {
  metadata: Metadata.optional().openapi({
    description: `Your own data about the job, such as an order number: up to ${MAX_METADATA_KEYS} strings, numbers and booleans, at most 2 KB as JSON. Job records, lists and webhook events contain it, and you can filter lists by it. It is stored as long as the result. Don't send secrets.`,
    type: "object",
    maxProperties: MAX_METADATA_KEYS,
    example: { order: 1042, customer: "acme" },
  }),
  tags: Tags.optional().openapi({
    description: `Your own labels for the job: up to ${MAX_TAGS} strings of up to ${MAX_TAG_CHARS} characters. Duplicates are removed. Job records, lists and webhook events contain them, and you can filter lists by them.`,
    example: ["prices", "nightly"],
  }),
};

/** The labels of a job as job records and webhook events show them. */
export const SHOWN_LABELS = {
  metadata: z
    .record(text, z.union([text, z.number(), z.boolean()]))
    .optional()
    .openapi({ description: "The `metadata` of the request. It is deleted together with the result." }),
  tags: z.array(text).optional().openapi({
    description: "The `tags` of the request. They are deleted together with the result.",
  }),
};

/** The query parameters `metadata[key]`, as `foldMetadata` returns them. */
export const MetadataFilter = text
  .transform((json, context): Record<string, string> => {
    const metadata = JSON.parse(json) as Record<string, string>;
    if (Object.keys(metadata).length > MAX_METADATA_KEYS) {
      context.addIssue({ code: "custom", message: `must have at most ${MAX_METADATA_KEYS} keys` });
    }
    return metadata;
  })
  .optional()
  .openapi({
    type: "object",
    additionalProperties: { type: "string" },
    param: { name: "metadata", in: "query", style: "deepObject", explode: true },
    description:
      "Only jobs whose `metadata` has this value, as in `metadata[order]=1042`. If you give several keys, only jobs with all these values are listed. A value also matches a number or boolean with the same text.",
  });

/** The query parameter `tag`, which can be repeated. The output is a list. */
export const TagFilter = z
  .union([text, z.array(text)])
  .transform((given, context) => {
    const { data, error } = Tags.safeParse([given].flat());
    for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
    return data ?? z.NEVER;
  })
  .optional()
  .openapi({
    type: "array",
    items: { type: "string", minLength: 1, maxLength: MAX_TAG_CHARS },
    maxItems: MAX_TAGS,
    description: "Only jobs with this tag. If you repeat the parameter, only jobs with all these tags are listed.",
  });
