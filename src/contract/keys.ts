import { z } from "@hono/zod-openapi";
import { findCanonicalCidr, findCidrProblem } from "../lib/ip-ranges";
import { SCOPES } from "../model/api-key";
import {
  GRACE_PERIOD_DEFAULT_S,
  GRACE_PERIOD_MAX_S,
  MAX_ALLOWED_IPS,
  MAX_CREDIT_LIMIT,
  MAX_KEY_NAME_CHARS,
} from "../model/limits";
import { listResponse, PAGE } from "./common";
import { component, dataResponse, int, integer, nonEmptyText, strictComponent, text, time } from "./fields";

const Scope = z.enum(SCOPES).openapi("Scope");

const Mode = z.enum(["live", "test"]).openapi("Mode", {
  description: "Requests with a test key are free and return mock data.",
});

const Cidr = text
  .superRefine((entry, context) => {
    const problem = findCidrProblem(entry);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .openapi({ pattern: "^[0-9a-fA-F:.]+(/[0-9]{1,3})?$", example: "203.0.113.0/24" });

const Name = nonEmptyText(MAX_KEY_NAME_CHARS);

const Scopes = z
  .array(Scope)
  .min(1, "must name at least one scope")
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)));

const AllowedIps = z
  .array(Cidr)
  .max(MAX_ALLOWED_IPS, `must have at most ${MAX_ALLOWED_IPS} entries`)
  .transform((entries) => [...new Set(entries.flatMap((entry) => findCanonicalCidr(entry) ?? []))]);

const ExpiresAt = z.iso
  .datetime({ offset: true, error: "must be a time such as 2027-01-31T12:00:00Z" })
  .nullable()
  .openapi({ description: "The time at which the key stops working. If null, it doesn't expire." });

const CreditLimit = integer(1, MAX_CREDIT_LIMIT)
  .nullable()
  .openapi({
    type: ["integer", "null"],
    minimum: 1,
    maximum: MAX_CREDIT_LIMIT,
    description:
      "The credits that a live key may spend in each billing period of the account, in whole days (UTC). A request that would exceed the limit is refused with `insufficient_credits`. If null, the key has no limit.",
  });

export const KeyRequest = strictComponent("KeyRequest", {
  name: Name.optional().openapi({ description: "A name by which people recognize the key." }),
  scopes: Scopes.optional().openapi({
    description: "The scopes of the key. By default, the key gets the scopes of the key that creates it.",
  }),
  mode: Mode.optional().openapi({
    description: "The mode of the key. By default, the key gets the mode of the key that creates it.",
  }),
  allowed_ips: AllowedIps.optional().openapi({
    description:
      "The IP address ranges (CIDR) that the key may be used from. By default, the key gets the ranges of the key that creates it.",
  }),
  expires_at: ExpiresAt.optional(),
  credit_limit: CreditLimit.optional(),
});
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyChangeRequest = strictComponent("KeyChangeRequest", {
  name: Name.nullable().optional().openapi({ description: "A name by which people recognize the key." }),
  scopes: Scopes.optional().openapi({ description: "The scopes of the key." }),
  allowed_ips: AllowedIps.optional().openapi({
    description: "The IP address ranges (CIDR) that the key may be used from. If empty, every address is allowed.",
  }),
  expires_at: ExpiresAt.optional(),
  credit_limit: CreditLimit.optional(),
});
export type KeyChangeRequest = z.infer<typeof KeyChangeRequest>;

export const KeyRotateRequest = strictComponent("KeyRotateRequest", {
  grace_period_s: integer(0, GRACE_PERIOD_MAX_S).default(GRACE_PERIOD_DEFAULT_S).openapi({
    type: "integer",
    minimum: 0,
    maximum: GRACE_PERIOD_MAX_S,
    default: GRACE_PERIOD_DEFAULT_S,
    description:
      "The number of seconds for which the current secret continues to work. With 0, it stops working immediately.",
  }),
});

export const RevokeQuery = z.strictObject({
  keep_jobs: z
    .enum(["true", "false"], { error: "must be 'true' or 'false'" })
    .optional()
    .openapi({ description: "If `true`, the unfinished jobs, batches and crawls of the key continue." }),
});

export const KeyListQuery = z.strictObject(PAGE);

export const KeyId = text.openapi({ example: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77" });

export const KeyRecord = component("ApiKey", {
  id: KeyId,
  name: text.nullable(),
  mode: Mode,
  prefix: text.openapi({ example: "sk_live_4fGh" }),
  last4: text.openapi({ example: "x9Qa" }),
  scopes: z.array(Scope),
  allowed_ips: z.array(text).openapi({
    description: "The IP address ranges (CIDR) that the key may be used from. If empty, every address is allowed.",
  }),
  created_at: time,
  last_used_at: time
    .nullable()
    .openapi({ description: "The time of the last request with the key. It can be up to 15 minutes old." }),
  revoked_at: time
    .nullable()
    .openapi({ description: "The time at which the key was revoked. A revoked key is listed for 30 days." }),
  expires_at: time.nullable().openapi({
    description: "The time at which the key stops working. Null if it doesn't expire.",
  }),
  previous_secret_expires_at: time.nullable().openapi({
    description: "The time at which the secret before the last rotation stops working. Null if there is none.",
  }),
  credit_limit: CreditLimit,
  credits_used: int.openapi({
    description: "The credits that the key has used in this period of the account. 0 for a test key.",
  }),
  credits_reset_at: time.openapi({
    description:
      "The time at which `credits_used` starts at 0 again: the beginning (UTC) of the day on which the account's next period starts.",
  }),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

export const KeyResponse = dataResponse("ApiKeyResponse", KeyRecord);

export const KeyCreated = dataResponse(
  "ApiKeyCreated",
  KeyRecord.extend({ key: text.openapi({ description: "The secret. Store it now: it isn't shown again." }) }),
);

export const KeyList = listResponse("ApiKeyList", KeyRecord);
