import { accountGone, callAccount } from "../account/client";
import type * as contract from "../contract/extractors";
import { describeRules } from "../endpoints/parse/learned/describe";
import { toIso } from "../lib/clock";
import { isId } from "../lib/id";
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Extractor, StoredExtractor } from "../model/extractor";

interface Owner {
  account: AccountRef;
  mode: Mode;
}

/** Returns the account's extractors, the last used first. There are at most 200. */
export async function listExtractors(env: Env, { account, mode }: Owner): Promise<Extractor[]> {
  const reply = await callAccount(env, account, (stub) => stub.listExtractors(mode));
  if (reply.kind === "gone") throw accountGone();
  return reply.extractors;
}

/** Returns an extractor. Throws AppError `not_found` if there is none. */
export async function getExtractor(env: Env, { account, mode }: Owner, id: string): Promise<StoredExtractor> {
  if (!isId(id)) throw notFound(id);
  const reply = await callAccount(env, account, (stub) => stub.getExtractor(mode, id));
  if (reply.kind === "gone") throw accountGone();
  if (reply.extractor === null) throw notFound(id);
  return reply.extractor;
}

/** Deletes an extractor. The next parses of its pages learn a new one. Throws AppError `not_found` if there is none. */
export async function deleteExtractor(env: Env, { account, mode }: Owner, id: string): Promise<void> {
  if (!isId(id)) throw notFound(id);
  const reply = await callAccount(env, account, (stub) => stub.deleteExtractor(mode, id));
  if (reply.kind === "gone") throw accountGone();
  if (!reply.found) throw notFound(id);
}

function notFound(id: string): AppError {
  return new AppError("not_found", `There is no extractor '${id.slice(0, 100)}'.`, {
    hint: "GET /v1/extractors lists the extractors of the key's mode. The one that wasn't used for the longest time is dropped when there are more than 200.",
  });
}

/** Returns the share of uses with a certain result, from 0 to 1. Null if there is no use. */
export function toHitRate({ uses, misses }: Pick<Extractor, "uses" | "misses">): number | null {
  return uses === 0 ? null : Math.max(0, uses - misses) / uses;
}

/** Returns an extractor as the API shows it. */
export function toExtractorRecord(extractor: Extractor): contract.Extractor {
  const { id, host, properties, status, pages, uses, misses, checks, drift, driftedAt } = extractor;
  return {
    ...{ id, host, properties: [...properties], status, learned_from: pages, uses, misses },
    hit_rate: toHitRate(extractor),
    checks,
    last_drift: drift === null || driftedAt === null ? null : { reason: drift, at: toIso(driftedAt) },
    created_at: toIso(extractor.createdAt),
    learned_at: extractor.learnedAt === null ? null : toIso(extractor.learnedAt),
    last_used_at: toIso(extractor.usedAt),
  };
}

/** Returns an extractor with its rules as the API shows it. */
export function toExtractorWithRules(extractor: StoredExtractor): contract.ExtractorWithRules {
  return { ...toExtractorRecord(extractor), rules: describeRules(extractor.rules) };
}
