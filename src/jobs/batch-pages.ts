// Validates the requests of a batch, and converts them to the pages that the account stores.
import { z } from "@hono/zod-openapi";
import type { NewPage } from "../account/batches/batch-types";
import type { BatchRequest, InvalidEntry } from "../contract/batches";
import { ENDPOINT_SCHEMAS } from "../contract/endpoint-schemas";
import { invalidParameters, parseWith } from "../contract/invalid-request";
import { splitSecrets } from "../contract/secret-fields";
import { newBatchChecks } from "../endpoints/shared/batch-checks";
import type { RequestContext } from "../endpoints/shared/definition";
import { type ValidatedRequest, validateBody } from "../endpoints/validate";
import { checkBodySize } from "../json-schema/size";
import { sleep } from "../lib/clock";
import type { PageEndpoint } from "../model/batch";
import { AppError, type ErrorDetail } from "../model/errors";
import type { JobKey } from "../model/job";
import { MAX_ROW_REQUEST_BYTES } from "../model/limits";
import { totalOf } from "../model/receipt";
import { sealSecrets } from "./secrets";

type Fields = Record<string, unknown>;

/** The pages of a batch, with the fields that they share. */
export interface BatchPages {
  pages: NewPage[];
  /** The requests that were omitted. */
  invalid: InvalidEntry[];
  /** The fields that the requests of the pages share, without secrets. */
  defaults: Fields;
  /** The secrets of `defaults`, encrypted with the id of the batch, or null. */
  secrets: string | null;
}

/** The fields that a request of a batch can't have, each with its error message. */
const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  webhook_url: "can't be used in a single request; move it to the top level of the batch",
  dry_run: "can't be used in a single request; move it to the top level of the batch",
  html: "can't be used in a batch; send the page's 'url' instead",
  file: "can't be used in a batch; send each file in its own request",
  capture_id: "can't be used in a batch; send the page's 'url' instead",
};

/**
 * Validates all requests of a batch with the rules of their endpoint. Throws AppError that lists every invalid request,
 * unless `ignore_invalid` is true and at least one request is valid.
 */
export async function validateBatchPages(
  { endpoint, requests, defaults = {}, ignore_invalid = false }: BatchRequest,
  context: RequestContext & { key: JobKey },
): Promise<BatchPages> {
  checkBodySize({ requests, defaults });
  checkDefaults(endpoint, defaults);
  const builder = new PageBuilder(context.env, context.key);
  const pages: NewPage[] = [];
  const invalid: InvalidEntry[] = [];
  const shared = { ...context, checks: context.checks ?? newBatchChecks() };
  let hint: string | undefined;
  for (const [index, entry] of requests.entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await sleep(0);
    // Converts each request before the next one is validated, because 1,000 validated requests can need 100 MB.
    const checked = validateEntry(entry, { endpoint, defaults, index, context: shared });
    if ("details" in checked) {
      invalid.push({ index, details: checked.details });
      hint ??= checked.hint;
      continue;
    }
    const own = new Set(Object.keys(Object(entry)));
    const page = await builder.build(checked, { own, number: pages.length + 1 });
    if (page === null) invalid.push({ index, details: [{ path: `requests.${index}`, message: TOO_LARGE }] });
    else pages.push(page);
  }
  if (pages.length === 0 || (invalid.length > 0 && !ignore_invalid)) {
    throw invalidParameters(withoutRepeated(invalid.flatMap(({ details }) => details)), hint);
  }
  return { pages, invalid, ...builder.shared };
}

/** The number of requests that are validated before other work of the isolate runs. */
const ENTRIES_PER_TURN = 10;
const TOO_LARGE = `must have at most ${MAX_ROW_REQUEST_BYTES / 1_024} KB together with 'defaults'`;

/** Throws AppError for a default that no request can use. Otherwise, each request would repeat its errors. */
function checkDefaults(endpoint: PageEndpoint, defaults: Fields): void {
  const details = Object.entries({ ...REFUSED_FIELDS, url: "belongs in each request, not in 'defaults'" })
    .filter(([name]) => Object.hasOwn(defaults, name))
    .map(([name, message]) => ({ path: `defaults.${name}`, message }));
  if (Buffer.byteLength(JSON.stringify(defaults)) > MAX_ROW_REQUEST_BYTES) {
    details.push({ path: "defaults", message: `must have at most ${MAX_ROW_REQUEST_BYTES / 1_024} KB` });
  }
  if (details.length > 0) throw invalidParameters(details);
  const { shape } = ENDPOINT_SCHEMAS[endpoint].request;
  parseWith(z.strictObject({ defaults: z.strictObject(shape).partial() }), { defaults });
}

/** Returns the validated request, or the list of its errors. */
function validateEntry(
  entry: unknown,
  {
    endpoint,
    defaults,
    index,
    context,
  }: { endpoint: BatchRequest["endpoint"]; defaults: Fields; index: number; context: RequestContext },
): ValidatedRequest | { details: ErrorDetail[]; hint?: string | undefined } {
  const path = `requests.${index}`;
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return { details: [{ path, message: "must be an object with a 'url'" }] };
  }
  const refused = Object.entries(REFUSED_FIELDS).filter(([name]) => Object.hasOwn(entry, name));
  if (refused.length > 0) {
    return { details: refused.map(([name, message]) => ({ path: `${path}.${name}`, message })) };
  }
  if (!Object.hasOwn(entry, "url")) return { details: [{ path: `${path}.url`, message: "is required" }] };
  try {
    return validateBody(endpoint, { ...defaults, ...entry }, context);
  } catch (error) {
    if (!(error instanceof AppError) || !isAboutEntry(error)) throw error;
    const own = (error.details ?? [{ path: "", message: error.message }]).map((detail) => {
      const [name = ""] = detail.path.split(".");
      const isDefault = !Object.hasOwn(entry, name) && Object.hasOwn(defaults, name);
      return { ...detail, path: [isDefault ? "defaults" : path, detail.path].filter((part) => part !== "").join(".") };
    });
    return { details: own, hint: error.hint };
  }
}

/** Returns true if the error concerns this request only. Test targets can also simulate other errors. */
function isAboutEntry({ status, code }: AppError): boolean {
  return status === 400 || code === "price_limit";
}

/** Omits repeated details: an error in `defaults` occurs in many requests. */
function withoutRepeated(details: readonly ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values()];
}

/**
 * Converts validated requests to pages. The fields of the first request become the defaults of the batch, and each page
 * has only the fields that differ from them.
 */
class PageBuilder {
  /** The fields of the first request with their JSON, and its secrets. */
  #first: { fields: Fields; json: Map<string, string>; secrets: string | null; sealed: string | null } | null = null;
  /** The JSON of the fields that aren't a request's own. It is the same for all requests. */
  readonly #defaultJson = new Map<string, string>();

  constructor(
    readonly env: Env,
    readonly key: JobKey,
  ) {}

  /** The fields that the pages share, as the account stores them. */
  get shared(): Pick<BatchPages, "defaults" | "secrets"> {
    return { defaults: this.#first?.fields ?? {}, secrets: this.#first?.sealed ?? null };
  }

  /** Returns the page of a request, or null above MAX_ROW_REQUEST_BYTES. `own`: fields that aren't in `defaults`. */
  async build(
    { request, rendered, plan }: ValidatedRequest,
    { own, number }: { own: ReadonlySet<string>; number: number },
  ): Promise<NewPage | null> {
    const { shown, secrets } = splitSecrets(request);
    const { url = "", ...fields } = shown as Fields & { url?: string };
    const json = new Map(Object.entries(fields).map(([name, value]) => [name, this.#toJson(name, value, own)]));
    const members = [JSON.stringify({ url }), ...[...json].map(([name, value]) => `,"${name}":${value}`)];
    if (Buffer.byteLength(members.join("")) > MAX_ROW_REQUEST_BYTES) return null;
    this.#first ??= { fields, json, secrets, sealed: await this.#seal(secrets) };
    const { json: first } = this.#first;
    const changed = [...new Set([...first.keys(), ...json.keys()])].filter(
      (name) => first.get(name) !== json.get(name),
    );
    return {
      number,
      url,
      // A default that the request doesn't have becomes null.
      overrides: Object.fromEntries(changed.map((name) => [name, fields[name] ?? null])),
      // For a page without secrets, this is an empty list. With null, the page would use the secrets of the defaults.
      secrets: secrets === this.#first.secrets ? null : await this.#seal(secrets ?? "[]"),
      rendered,
      credits: this.key.mode === "test" ? 0 : totalOf(plan.lines),
      plan,
    };
  }

  #toJson(name: string, value: unknown, own: ReadonlySet<string>): string {
    const known = this.#defaultJson.get(name);
    if (known !== undefined && !own.has(name)) return known;
    const json = JSON.stringify(value);
    if (!own.has(name)) this.#defaultJson.set(name, json);
    return json;
  }

  async #seal(secrets: string | null): Promise<string | null> {
    return secrets === null ? null : await sealSecrets(this.env, this.key, secrets);
  }
}
