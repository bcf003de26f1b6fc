import { z } from "@hono/zod-openapi";
import { cidrProblem, toCanonicalCidr } from "../keys/addresses";
import { SCOPES } from "../keys/api-key";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../limits";
import { Pagination, wholeNumber } from "./common";

export const Scope = z.enum(SCOPES);

const Cidr = z
  .string()
  .superRefine((entry, context) => {
    const problem = cidrProblem(entry);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .openapi({ example: "203.0.113.0/24" });

export const KeyRequest = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_KEY_NAME_CHARS, `must have at most ${MAX_KEY_NAME_CHARS} characters`)
      .optional(),
    scopes: z
      .array(Scope)
      .min(1, "must name at least one scope")
      .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
      .optional()
      .openapi({ description: "Default: the creator's own." }),
    mode: z.enum(["live", "test"]).optional().openapi({ description: "Default: the creator's own." }),
    allowed_ips: z
      .array(Cidr)
      .max(MAX_ALLOWED_IPS, `must have at most ${MAX_ALLOWED_IPS} entries`)
      .transform((entries) => [
        ...new Set(entries.flatMap((entry) => (cidrProblem(entry) === null ? [toCanonicalCidr(entry)] : []))),
      ])
      .optional()
      .openapi({ description: "Address ranges that the key may be used from. Default: the creator's own." }),
  })
  .openapi("KeyRequest");
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyListQuery = z.strictObject({
  limit: wholeNumber(1, LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT).openapi({ type: "integer" }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).openapi({ type: "integer" }),
});

export const KeyRecord = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    mode: z.enum(["live", "test"]),
    prefix: z.string().openapi({ example: "sk_live_4fGh" }),
    last4: z.string(),
    scopes: z.array(Scope),
    allowed_ips: z.array(z.string()),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .openapi("ApiKey");
export type KeyRecord = z.infer<typeof KeyRecord>;

export const KeyCreated = z
  .object({
    success: z.literal(true),
    data: KeyRecord.extend({ key: z.string().openapi({ description: "The secret, shown this once." }) }),
  })
  .openapi("ApiKeyCreated");

export const KeyList = z
  .object({ success: z.literal(true), data: z.array(KeyRecord), pagination: Pagination })
  .openapi("ApiKeyList");
