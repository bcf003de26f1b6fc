import type { SchemaObject } from "../../json-schema/keywords";
import { relaxSchema } from "../../json-schema/relax";
import { findProblems, type Problem } from "../../json-schema/validate";
import { Semaphore } from "../../lib/async";
import { now } from "../../lib/clock";
import { newNonce } from "../../lib/crypto";
import { AppError } from "../../model/errors";
import { MAX_PROBLEM_CHARS, MODEL_CONNECTIONS } from "../../model/limits";
import type { Model, ModelResponse } from "../../models/provider";
import { toAnswer, toRepairMessage } from "./answer";
import { INNER, type Read, readEvidenceAnswer, toEvidenceSchema } from "./evidence-answer";
import { mergeAnswers, type PartAnswer } from "./merge";
import { type Instruction, type Question, toMergedQuestion, toQuestion, toRepairQuestion } from "./prompt";
import { relocateQuotes, ungroundedValues } from "./repair";
import { estimateTokens } from "./tokens";

export interface ExtractionRequest {
  prompt: string;
  /** Null: any object. */
  schema: SchemaObject | null;
  wantsEvidence: boolean;
}

/** What is read: each part goes to the model for itself. */
export interface Page {
  parts: readonly string[];
  /** What all of them say, to hold values against. */
  text: string;
  /** What a part may take, by our estimate, and what is put together from the answers as well. */
  maxTokens: number;
}

/** What all answers cost together. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model_calls: number;
  /** From the first question to the last answer. */
  model_time_ms: number;
}

export interface Extracted extends PartAnswer {
  usage: ModelUsage;
}

/** An answer that the model's limit of tokens cut off: less of the page at a time would bring a shorter one. */
export class CutOffError extends AppError {
  constructor(model: string) {
    super(
      "schema_mismatch",
      `The answer of ${model} was longer than it may be, and was cut off: ask for less, or of a part of the page.`,
    );
    this.name = "CutOffError";
  }
}

/**
 * Asks the model for what stands in each part of a page, side by side, and puts the answers together. Each answer is
 * validated, and asked for once more with what is wrong with it. Throws AppError schema_mismatch, model_refused or
 * model_failed, and the signal's reason.
 */
export async function extract(
  model: Model,
  request: ExtractionRequest,
  page: Page,
  signal: AbortSignal,
): Promise<Extracted> {
  const { schema } = request;
  const { parts } = page;
  const isCut = parts.length > 1;
  const session = new Session(model, request, signal);
  // What a part doesn't say, another one may: required is only the whole.
  const ofParts = isCut && schema !== null ? relaxSchema(schema) : schema;
  const answers = await session.together(
    parts.map((text, at) => () => session.askFor(ofParts, { text, number: at + 1, count: parts.length })),
  );
  const merged = mergeAnswers(answers, schema);
  const whole = isCut && schema !== null ? await session.mend(merged, schema, page) : merged;
  return { ...whole, usage: session.usage };
}

class Session {
  readonly #model: Model;
  readonly #request: ExtractionRequest;
  readonly #nonce = newNonce();
  readonly #startedAt = now();
  readonly #lines = new Semaphore(MODEL_CONNECTIONS);
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  readonly #used = { input_tokens: 0, output_tokens: 0, model_calls: 0 };

  constructor(model: Model, request: ExtractionRequest, signal: AbortSignal) {
    this.#model = model;
    this.#request = request;
    this.#signal = AbortSignal.any([signal, this.#over.signal]);
  }

  get usage(): ModelUsage {
    return { ...this.#used, model_time_ms: now() - this.#startedAt };
  }

  /** All or none: the first failure ends the others. */
  async together<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
    try {
      return await Promise.all(tasks.map((task) => task()));
    } catch (error) {
      this.#over.abort(error);
      throw error;
    }
  }

  async askFor(
    schema: SchemaObject | null,
    part: { text: string; number: number; count: number },
  ): Promise<PartAnswer> {
    const question = toQuestion(this.#instruction(schema), part, this.#nonce);
    return await this.#askTwice(question, (answer) => this.#read(answer, schema));
  }

  /** What was put together from the parts, made to hold where it doesn't, with nothing in it that no part says. */
  async mend(merged: PartAnswer, schema: SchemaObject, { text, maxTokens }: Page): Promise<PartAnswer> {
    const { data, quotes } = merged;
    const found = findProblems(schema, data);
    if (found.length === 0) return merged;
    if (estimateTokens(JSON.stringify(data)) > maxTokens) {
      throw toMismatch("What was put together from the page's parts doesn't hold, and is too long to be mended", found);
    }
    const instruction = { ...this.#instruction(schema), schema, wantsEvidence: false };
    const question = toMergedQuestion(instruction, { data, problems: toRepairMessage(found) }, this.#nonce);
    const answer = await this.#ask(question);
    const read = toAnswer(answer.text, schema);
    if (read.data === null) {
      const how = answer.truncated ? "and was too long to be mended" : `nor did what ${this.#model.id} made of it`;
      throw toMismatch(`What was put together from the page's parts doesn't hold against the schema, ${how}`, [
        ...(answer.truncated ? found : read.problems),
      ]);
    }
    const [invented] = ungroundedValues({ before: data, after: read.data, schema, pageText: text });
    if (invented !== undefined) {
      throw new AppError("schema_mismatch", `The page doesn't say what the schema requires at ${invented}.`);
    }
    return { data: read.data, quotes: relocateQuotes(quotes, data, read.data) };
  }

  #instruction(schema: SchemaObject | null): Instruction {
    const { prompt, wantsEvidence } = this.#request;
    return { prompt, schema: wantsEvidence ? toEvidenceSchema(schema) : schema, wantsEvidence };
  }

  async #askTwice(question: Question, read: (answer: ModelResponse) => Read): Promise<PartAnswer> {
    const first = await this.#ask(question);
    const given = read(first);
    if (given.data !== null) return given;
    if (first.truncated) throw new CutOffError(this.#model.id);
    const second = await this.#ask(toRepairQuestion(question, first.text, toRepairMessage(given.problems)));
    const repaired = read(second);
    if (repaired.data === null) throw this.#toMismatch(second, repaired.problems);
    return repaired;
  }

  async #ask(question: Question): Promise<ModelResponse> {
    const leave = await this.#lines.acquire(this.#signal);
    try {
      this.#used.model_calls++;
      const answer = await this.#model.complete(question, this.#signal);
      this.#used.input_tokens += answer.usage.input_tokens;
      this.#used.output_tokens += answer.usage.output_tokens;
      return answer;
    } finally {
      leave();
    }
  }

  #read({ text }: ModelResponse, schema: SchemaObject | null): Read {
    if (this.#request.wantsEvidence) return readEvidenceAnswer(text, schema);
    const answer = toAnswer(text, schema);
    return answer.data === null ? answer : { data: answer.data, quotes: [] };
  }

  #toMismatch(answer: ModelResponse, found: readonly Problem[]): AppError {
    if (answer.truncated) return new CutOffError(this.#model.id);
    const inner = this.#request.wantsEvidence ? found.map(withoutEnvelope) : found;
    return toMismatch(`The answer of ${this.#model.id} doesn't hold against the schema, nor did a second one`, inner);
  }
}

function withoutEnvelope({ path, message }: Problem): Problem {
  return { path: path.startsWith(`${INNER}/`) ? path.slice(INNER.length) : path, message };
}

function toMismatch(words: string, [first]: readonly Problem[]): AppError {
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const what = `${where}${first?.message ?? ""}`.slice(0, MAX_PROBLEM_CHARS).replace(/\.$/, "");
  return new AppError("schema_mismatch", `${words}: ${what}.`);
}
