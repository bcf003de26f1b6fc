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
import { DATA_POINTER, type EvidenceAnswer, readEvidenceAnswer, toEvidenceSchema } from "./evidence-answer";
import { mergeAnswers, type PartAnswer } from "./merge";
import { type Instruction, type Question, toMergedQuestion, toQuestion, toRepairQuestion } from "./prompt";
import { relocateQuotes, ungroundedValues } from "./repair";
import { estimateTokens } from "./tokens";

export interface ExtractionRequest {
  prompt: string;
  /** Null allows any object. */
  schema: SchemaObject | null;
  wantsEvidence: boolean;
}

/** The texts to extract from. The model is asked about each part separately. */
export interface Page {
  parts: readonly string[];
  /** The text of all parts, in which values are looked for. */
  text: string;
  /** The limit, in estimated tokens, for each part and for the merged answer. */
  maxTokens: number;
}

/** The usage of all model calls together. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model_calls: number;
  /** From the first call to the last answer. */
  model_time_ms: number;
}

export interface Extracted extends PartAnswer {
  usage: ModelUsage;
}

/** The answer was cut off at the model's limit of tokens. With smaller parts, the answers are shorter. */
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
 * Asks the model about all parts of a page concurrently, and merges the answers. If an answer isn't valid, the model gets one
 * chance to repair it. Throws AppError schema_mismatch, model_refused or model_failed, and the signal's reason.
 */
export async function extract(
  model: Model,
  request: ExtractionRequest,
  page: Page,
  signal: AbortSignal,
): Promise<Extracted> {
  const { schema } = request;
  const { parts } = page;
  const isSplit = parts.length > 1;
  const session = new Session(model, request, signal);
  // One part doesn't have everything: only the merged answer must have the required properties.
  const partSchema = isSplit && schema !== null ? relaxSchema(schema) : schema;
  const answers = await session.together(
    parts.map((text, at) => () => session.askFor(partSchema, { text, number: at + 1, count: parts.length })),
  );
  const merged = mergeAnswers(answers, schema);
  const whole = isSplit && schema !== null ? await session.repair(merged, schema, page) : merged;
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

  /** Runs tasks concurrently. The first failure aborts the others. */
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

  /** Lets the model repair merged data that isn't valid. Throws AppError schema_mismatch if it adds ungrounded values. */
  async repair(merged: PartAnswer, schema: SchemaObject, { text, maxTokens }: Page): Promise<PartAnswer> {
    const { data, quotes } = merged;
    const found = findProblems(schema, data);
    if (found.length === 0) return merged;
    if (estimateTokens(JSON.stringify(data)) > maxTokens) {
      throw toMismatch(
        "The merged answer of the page's parts isn't valid against the schema, and is too long to be repaired",
        found,
      );
    }
    const instruction = { ...this.#instruction(schema), schema, wantsEvidence: false };
    const question = toMergedQuestion(instruction, { data, problems: toRepairMessage(found) }, this.#nonce);
    const answer = await this.#ask(question);
    const read = toAnswer(answer.text, schema);
    if (read.data === null) {
      const how = answer.truncated
        ? "and was too long to be repaired"
        : `and neither is the repair by ${this.#model.id}`;
      throw toMismatch(`The merged answer of the page's parts isn't valid against the schema, ${how}`, [
        ...(answer.truncated ? found : read.problems),
      ]);
    }
    const [ungrounded] = ungroundedValues({ before: data, after: read.data, schema, pageText: text });
    if (ungrounded !== undefined) {
      throw new AppError("schema_mismatch", `The page doesn't say what the schema requires at ${ungrounded}.`);
    }
    return { data: read.data, quotes: relocateQuotes(quotes, data, read.data) };
  }

  #instruction(schema: SchemaObject | null): Instruction {
    const { prompt, wantsEvidence } = this.#request;
    return { prompt, schema: wantsEvidence ? toEvidenceSchema(schema) : schema, wantsEvidence };
  }

  async #askTwice(question: Question, read: (answer: ModelResponse) => EvidenceAnswer): Promise<PartAnswer> {
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

  #read({ text }: ModelResponse, schema: SchemaObject | null): EvidenceAnswer {
    if (this.#request.wantsEvidence) return readEvidenceAnswer(text, schema);
    const answer = toAnswer(text, schema);
    return answer.data === null ? answer : { data: answer.data, quotes: [] };
  }

  #toMismatch(answer: ModelResponse, found: readonly Problem[]): AppError {
    if (answer.truncated) return new CutOffError(this.#model.id);
    const inner = this.#request.wantsEvidence ? found.map(toDataPath) : found;
    return toMismatch(
      `The answer of ${this.#model.id} isn't valid against the schema, and neither is a second one`,
      inner,
    );
  }
}

function toDataPath({ path, message }: Problem): Problem {
  return { path: path.startsWith(`${DATA_POINTER}/`) ? path.slice(DATA_POINTER.length) : path, message };
}

function toMismatch(words: string, [first]: readonly Problem[]): AppError {
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const what = `${where}${first?.message ?? ""}`.slice(0, MAX_PROBLEM_CHARS).replace(/\.$/, "");
  return new AppError("schema_mismatch", `${words}: ${what}.`);
}
