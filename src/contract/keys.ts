import { z } from "@hono/zod-openapi";
import { findCidrProblem, toCanonicalCidr } from "../lib/ip-ranges";
import { SCOPES } from "../model/api-key";
import { MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../model/limits";
import { PAGE, Pagination } from "./common";

const Scope = z.enum(SCOPES).openapi("Scope");

const Mode = z.enum(["live", "test"]).openapi("Mode", {
  description: "Requests with a test key are free and return mock data.",
});

const Cidr = z
  .string()
  .superRefine((entry, context) => {
    const problem = findCidrProblem(entry);
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
      .optional()
      .openapi({ description: "A name by which people recognize the key." }),
    scopes: z
      .array(Scope)
      .min(1, "must name at least one scope")
      .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
      .optional()
      .openapi({
        description: "The scopes of the key. By default, the key gets the scopes of the key that creates it.",
      }),
    mode: Mode.optional().openapi({
      description: "The mode of the key. By default, the key gets the mode of the key that creates it.",
    }),
    allowed_ips: z
      .array(Cidr)
      .max(MAX_ALLOWED_IPS, `must have at most ${MAX_ALLOWED_IPS} entries`)
      .transform((entries) => [
        ...new Set(entries.flatMap((entry) => (findCidrProblem(entry) === null ? [toCanonicalCidr(entry)] : []))),
      ])
      .optional()
      .openapi({
        description:
          "The IP address ranges (CIDR) that the key may be used from. By default, the key gets the ranges of the key that creates it.",
      }),
  })
  .openapi("KeyRequest");
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyListQuery = z.strictObject(PAGE);

export const KeyId = z.string().openapi({ example: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77" });

export const KeyRecord = z
  .object({
    id: KeyId,
    name: z.string().nullable(),
    mode: Mode,
    prefix: z.string().openapi({ example: "sk_live_4fGh" }),
    last4: z.string().openapi({ example: "x9Qa" }),
    scopes: z.array(Scope),
    allowed_ips: z.array(z.string()).openapi({
      description: "The IP address ranges (CIDR) that the key may be used from. If empty, every address is allowed.",
    }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "The time of the last request with the key. It can be up to 15 minutes old." }),
    revoked_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "The time at which the key was revoked. A revoked key is listed for 30 days." }),
  })
  .openapi("ApiKey");
export type KeyRecord = z.infer<typeof KeyRecord>;

export const KeyCreated = z
  .object({
    success: z.literal(true),
    data: KeyRecord.extend({
      key: z.string().openapi({ description: "The secret. Store it now: it isn't shown again." }),
    }),
  })
  .openapi("ApiKeyCreated");

export const KeyList = z
  .object({ success: z.literal(true), data: z.array(KeyRecord), pagination: Pagination })
  .openapi("ApiKeyList");
