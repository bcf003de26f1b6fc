import type { SchemaObject } from "../../json-schema/keywords";
import { relaxSchema } from "../../json-schema/relax";
import { findProblems, type Problem } from "../../json-schema/validate";
import { Semaphore } from "../../lib/async";
import { now } from "../../lib/clock";
import { newNonce } from "../../lib/crypto";
import { AppError } from "../../model/errors";
import { MODEL_CONNECTIONS } from "../../model/limits";
import type { Model, ModelResponse } from "../../models/provider";
import { estimateTokens } from "../../text-view/tokens";
import { readAnswer, toMismatch, toRepairMessage } from "./answer";
import { DATA_POINTER, type EvidenceAnswer, readEvidenceAnswer, toEvidenceSchema } from "./evidence-answer";
import { mergeAnswers, type PartAnswer } from "./merge";
import { type Instruction, type Question, toMergedQuestion, toQuestion, toRepairQuestion } from "./prompt";
import { relocateQuotes, ungroundedValues } from "./repair";

export interface ExtractionRequest {
  prompt: string;
  /** Null if any object is allowed. */
  schema: SchemaObject | null;
  wantsEvidence: boolean;
  /** The data that was found without the model. The schema doesn't have these properties. */
  known?: SchemaObject;
}

/** The text that the model extracts data from. Each part of the page is sent in a separate model call. */
export interface Page {
  parts: readonly string[];
  /** The text of all parts. Values and quotes are searched for in this text. */
  text: string;
  /** The maximum size of each part and of the merged answer, in estimated tokens. */
  maxTokens: number;
}

export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model_calls: number;
  /** The time (ms) from the start of the first call to the end of the last. */
  model_time_ms: number;
}

export interface Extracted extends PartAnswer {
  usage: ModelUsage;
}

/** Thrown if the model's token limit cut off the answer. Smaller parts have shorter answers. */
export class CutOffError extends AppError {
  constructor(model: string) {
    super(
      "schema_mismatch",
      `The response from ${model} was cut off at its token limit. Request less data, or only a part of the page.`,
    );
    this.name = "CutOffError";
  }
}

/**
 * Sends all parts of a page to the model concurrently, and merges the answers. If an answer isn't valid, the model gets
 * one chance to repair it. Throws AppError schema_mismatch, model_refused or model_failed, or the signal's reason.
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
  // A single part can lack required properties. Only the merged answer must have them.
  const partSchema = isSplit && schema !== null ? relaxSchema(schema) : schema;
  const answers = await session.runAll(
    parts.map((text, at) => () => session.extractPart(partSchema, { text, number: at + 1, count: parts.length })),
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
  readonly #slots = new Semaphore(MODEL_CONNECTIONS);
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #used = { input_tokens: 0, output_tokens: 0, model_calls: 0 };

  constructor(model: Model, request: ExtractionRequest, signal: AbortSignal) {
    this.#model = model;
    this.#request = request;
    this.#signal = AbortSignal.any([signal, this.#failed.signal]);
  }

  get usage(): ModelUsage {
    return { ...this.#used, model_time_ms: now() - this.#startedAt };
  }

  /** Runs tasks concurrently. The first failure aborts the others. */
  async runAll<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
    try {
      return await Promise.all(tasks.map((task) => task()));
    } catch (error) {
      this.#failed.abort(error);
      throw error;
    }
  }

  async extractPart(
    schema: SchemaObject | null,
    part: { text: string; number: number; count: number },
  ): Promise<PartAnswer> {
    const question = toQuestion(this.#instruction(schema), part, this.#nonce);
    return await this.#completeWithRepair(question, (answer) => this.#readAnswer(answer, schema));
  }

  /** Lets the model repair invalid merged data. Throws AppError schema_mismatch if that adds ungrounded values. */
  async repair(merged: PartAnswer, schema: SchemaObject, { text, maxTokens }: Page): Promise<PartAnswer> {
    const { data, quotes } = merged;
    const found = findProblems(schema, data);
    if (found.length === 0) return merged;
    if (estimateTokens(JSON.stringify(data)) > maxTokens) {
      throw toMismatch(
        "The page was read in parts. The combined data doesn't match the schema, and is too long to repair",
        found,
      );
    }
    const instruction = { ...this.#instruction(schema), schema, wantsEvidence: false };
    const question = toMergedQuestion(instruction, { data, problems: toRepairMessage(found) }, this.#nonce);
    const answer = await this.#complete(question);
    const read = readAnswer(answer.text, schema);
    if (read.data === null) {
      const how = answer.truncated ? "and is too long to repair" : `and ${this.#model.id} could not repair it`;
      throw toMismatch(`The page was read in parts. The combined data doesn't match the schema, ${how}`, [
        ...(answer.truncated ? found : read.problems),
      ]);
    }
    const [ungrounded] = ungroundedValues({ before: data, after: read.data, schema, pageText: text });
    if (ungrounded !== undefined) {
      throw new AppError(
        "schema_mismatch",
        `The page has no value for ${ungrounded}, which the schema requires. Make it optional, or allow null.`,
      );
    }
    return { data: read.data, quotes: relocateQuotes(quotes, data, read.data) };
  }

  #instruction(schema: SchemaObject | null): Instruction {
    const { prompt, wantsEvidence, known } = this.#request;
    const answerSchema = wantsEvidence ? toEvidenceSchema(schema) : schema;
    return { prompt, schema: answerSchema, wantsEvidence, ...(known && { known }) };
  }

  async #completeWithRepair(question: Question, read: (answer: ModelResponse) => EvidenceAnswer): Promise<PartAnswer> {
    const first = await this.#complete(question);
    const given = read(first);
    if (given.data !== null) return given;
    if (first.truncated) throw new CutOffError(this.#model.id);
    const second = await this.#complete(toRepairQuestion(question, first.text, toRepairMessage(given.problems)));
    const repaired = read(second);
    if (repaired.data === null) throw this.#toMismatch(second, repaired.problems);
    return repaired;
  }

  async #complete(question: Question): Promise<ModelResponse> {
    const release = await this.#slots.acquire(this.#signal);
    try {
      this.#used.model_calls++;
      const answer = await this.#model.complete(question, this.#signal);
      this.#used.input_tokens += answer.usage.input_tokens;
      this.#used.output_tokens += answer.usage.output_tokens;
      return answer;
    } finally {
      release();
    }
  }

  #readAnswer({ text }: ModelResponse, schema: SchemaObject | null): EvidenceAnswer {
    if (this.#request.wantsEvidence) return readEvidenceAnswer(text, schema);
    const answer = readAnswer(text, schema);
    return answer.data === null ? answer : { data: answer.data, quotes: [] };
  }

  #toMismatch(answer: ModelResponse, found: readonly Problem[]): AppError {
    if (answer.truncated) return new CutOffError(this.#model.id);
    const inner = this.#request.wantsEvidence ? found.map(toDataPath) : found;
    return toMismatch(`${this.#model.id} returned data that doesn't match the schema, twice`, inner);
  }
}

function toDataPath({ path, message }: Problem): Problem {
  return { path: path.startsWith(`${DATA_POINTER}/`) ? path.slice(DATA_POINTER.length) : path, message };
}
