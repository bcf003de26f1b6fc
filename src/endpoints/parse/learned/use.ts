import { baseUrl } from "../../../html/parse/urls";
import { collapseAndTrim } from "../../../html/parse/white-space";
import type { VisiblePage } from "../../../html/visible-page";
import { isObject, type SchemaObject } from "../../../json-schema/keywords";
import { findProblems } from "../../../json-schema/validate";
import { now } from "../../../lib/clock";
import { sha256Hex } from "../../../lib/crypto";
import { newId } from "../../../lib/id";
import { toCanonicalJson } from "../../../lib/json";
import { log, toLogged } from "../../../lib/log";
import {
  EXTRACTOR_CHECK_INTERVAL,
  type ExtractorChange,
  type ExtractorQuery,
  type Extractors,
  type StoredExtractor,
} from "../../../model/extractor";
import { SECOND_MS } from "../../../model/limits";
import type { RunContext } from "../../../model/run-context";
import { verifyEvidence } from "../evidence";
import type { PartAnswer } from "../merge";
import { readData } from "../read-page";
import { type AppliedAnswer, applyPattern } from "./apply";
import { mergeScopes } from "./merge-patterns";
import { observe } from "./observe";
import { readOutline } from "./outline";
import { pageShape } from "./page-shape";
import type { ScopePattern } from "./pattern";
import type { Outline } from "./place";
import { isReady } from "./readiness";
import { readRules, writeRules } from "./rules";

/** The number of property names that lists of extractors show. */
const MAX_NAMES = 20;
const MAX_NAME_CHARS = 60;

/** The access of a run to the account's extractors. */
export interface LearningContext {
  extractors: Extractors;
  /** Names the run, so that a repeated call counts once. */
  run: string;
  /** False for a request with `store: false`. Nothing is learned from its page. */
  mayLearn: boolean;
}

/** Returns the access of a run to the account's extractors. */
export function toLearning(
  { extractors, job }: RunContext,
  { store }: { store?: boolean | undefined },
): LearningContext {
  return { extractors, run: `${job.id}/${job.run}`, mayLearn: store !== false };
}

export interface LearnedInput {
  request: { prompt: string; schema: SchemaObject };
  page: VisiblePage;
  url: string;
  /** The text in which the values must occur. */
  pageText: string;
}

/** The members of `meta.extractor`. */
export interface ExtractorMeta {
  id: string;
  /** The number of parses that the extractor was learned from. */
  learned_from: number;
  /** The time since the extractor was learned, in seconds. */
  age: number;
}

/** An answer from an extractor. */
export interface LearnedAnswer extends PartAnswer {
  meta: ExtractorMeta;
}

/** Reads a page with the account's extractor for it, or prepares to learn one. */
export class LearnedPage {
  /** The answer of the extractor. Null if there is no extractor, or if it isn't certain. */
  readonly answer: LearnedAnswer | null;
  /** True if a model must be asked, although there is an answer. */
  readonly isCheck: boolean;
  /** True if the model must read the whole page: for a comparison, or because the extractor is no longer certain. */
  readonly needsModel: boolean;
  readonly #input: LearnedInput;
  readonly #context: LearningContext;
  readonly #query: ExtractorQuery;
  readonly #stored: StoredExtractor | null;
  readonly #outline: () => Outline | null;
  /** Why the extractor isn't certain. */
  readonly #reason: string | null;

  private constructor(
    input: LearnedInput,
    context: LearningContext,
    { query, stored }: { query: ExtractorQuery; stored: StoredExtractor | null },
  ) {
    this.#input = input;
    this.#context = context;
    this.#query = query;
    this.#stored = stored;
    this.#outline = memoize(() => toOutline(input));
    const applied = stored?.status === "active" ? this.#apply(stored) : null;
    const isCertain = applied !== null && applied.data !== null && stored !== null;
    this.answer = isCertain ? { data: applied.data, quotes: applied.quotes, meta: toMeta(stored) } : null;
    this.#reason = applied?.data === null ? applied.reason : null;
    this.isCheck = this.answer !== null && (stored?.uses ?? 0) % EXTRACTOR_CHECK_INTERVAL === 0;
    const isLearningAgain = stored?.status === "learning" && stored.drift !== null;
    const isMiss = stored?.status === "active" && this.answer === null;
    this.needsModel = this.isCheck || isMiss || isLearningAgain;
  }

  /** Finds the extractor for the page. Returns null if the account can't be reached, because the page can be read anyway. */
  static async open(input: LearnedInput, context: LearningContext): Promise<LearnedPage | null> {
    const { request, page, url } = input;
    const query = {
      host: new URL(url).host,
      shape: await pageShape(page),
      request: await sha256Hex(toCanonicalJson(request)),
      run: context.run,
    };
    try {
      return new LearnedPage(input, context, { query, stored: await context.extractors.find(query) });
    } catch (error) {
      log("warn", "extractor_not_found", toLogged(error));
      return null;
    }
  }

  /**
   * Learns from an answer that was found otherwise. If it contradicts the extractor, the extractor is learned again from
   * this answer on. An error is logged, because the answer is valid anyway.
   */
  async learn(answer: PartAnswer): Promise<void> {
    if (!this.#context.mayLearn) return;
    try {
      const change = this.#toChange(answer);
      if (change !== null) await this.#context.extractors.save(change);
    } catch (error) {
      log("warn", "extractor_not_saved", toLogged(error));
    }
  }

  #apply(stored: StoredExtractor): AppliedAnswer | { data: null; reason: string } {
    const { schema } = this.#input.request;
    const [rules, outline] = [readRules(stored.rules), this.#outline()];
    if (rules === null || outline === null) return { data: null, reason: "The page or the rules can't be read." };
    const applied = applyPattern(rules, outline, schema);
    if (applied.data === null) return applied;
    const [problem] = findProblems(schema, applied.data);
    if (problem !== undefined) return { data: null, reason: `${problem.path}: The value doesn't match the schema.` };
    const [unverified] = this.#findUnverified(applied);
    return unverified === undefined ? applied : { data: null, reason: `${unverified}: The value isn't in the text.` };
  }

  /** Searches the texts that the values were read from first, because the text of the whole page takes longer to create. */
  #findUnverified(applied: AppliedAnswer): readonly string[] {
    const { data, quotes, shown } = applied;
    const { unverified } = verifyEvidence({ data, quotes, pageText: shown.join("\n") });
    return unverified.length === 0 ? [] : this.#verify(applied).unverified;
  }

  #verify({ data, quotes }: PartAnswer) {
    return verifyEvidence({ data, quotes, pageText: this.#input.pageText });
  }

  /** Returns the change of the extractor, or null if there is none. */
  #toChange(answer: PartAnswer): ExtractorChange | null {
    const stored = this.#stored;
    const isMiss = stored?.status === "active" && this.answer === null;
    const isWrong = this.answer !== null && !isSameData(this.answer.data, answer.data);
    const seen = this.#observe(answer);
    const base = { query: this.#query, properties: toNames(this.#input.request.schema), isMiss, isCheck: this.isCheck };
    if (stored === null) {
      if (seen === null) return null;
      return { ...base, id: newId(), version: 0, rules: seen.rules, status: "learning", pages: 1, drift: null };
    }
    const { id, version, rules, status, pages } = stored;
    const drift = isWrong ? "The model found other values." : this.#reason;
    // The values of the answer can't be read from the page, so there is nothing to learn.
    if (seen === null) {
      if (isWrong) return { ...base, id, version, rules, status: "learning", pages: 0, drift };
      return isMiss || this.isCheck ? { ...base, id, version, rules, status, pages, drift: null } : null;
    }
    const known = isWrong ? null : readRules(stored.rules);
    const merged = known && mergeScopes(known, seen.scope, { isStrict: status === "active" });
    const mergedRules = merged && writeRules(merged);
    if (merged === null || mergedRules === null) {
      return { ...base, id, version, rules: seen.rules, status: "learning", pages: 1, drift };
    }
    const isActive = isReady(merged, pages + 1);
    return {
      ...{ ...base, id, version, rules: mergedRules, pages: pages + 1, drift: null },
      status: isActive ? "active" : "learning",
    };
  }

  /** Returns the places of the answer's values. Returns null if a value isn't on the page. */
  #observe(answer: PartAnswer): { scope: ScopePattern; rules: string } | null {
    const outline = this.#verify(answer).unverified.length > 0 ? null : this.#outline();
    const scope = outline && observe(answer.data, outline, this.#input.request.schema);
    const rules = scope && writeRules(scope);
    return scope === null || rules === null ? null : { scope, rules };
  }
}

function toOutline({ page, url }: LearnedInput): Outline | null {
  return readOutline(page, { nodes: readData(page, { url }), baseUrl: baseUrl(page.document, url) });
}

function toMeta({ id, pages, learnedAt, createdAt }: StoredExtractor): ExtractorMeta {
  return { id, learned_from: pages, age: Math.max(0, Math.floor((now() - (learnedAt ?? createdAt)) / SECOND_MS)) };
}

function toNames({ properties }: SchemaObject): string[] {
  return isObject(properties)
    ? Object.keys(properties)
        .slice(0, MAX_NAMES)
        .map((name) => name.slice(0, MAX_NAME_CHARS))
    : [];
}

/** Returns true if the data differs only in white space and in how values are absent. */
function isSameData(left: SchemaObject, right: SchemaObject): boolean {
  return toCanonicalJson(withoutAbsent(left)) === toCanonicalJson(withoutAbsent(right));
}

function withoutAbsent(value: unknown): unknown {
  if (typeof value === "string") return collapseAndTrim(value);
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutAbsent(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== null && inner !== ""));
}

function memoize<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
