import { inject } from "vitest";
import { ExtractionClient } from "../../clients/typescript/src/client";
import { ExtractionError } from "../../clients/typescript/src/errors";
import type { ClientOptions, Fetch } from "../../clients/typescript/src/transport";
import { type Client, ORIGIN, request, site } from "./client";
import type { GatewayRequest } from "./gateway";

/** A `fetch` for the client that calls the Worker directly. */
export const toWorker: Fetch = (url, init) => request(url.slice(ORIGIN.length), init);

/** Returns a client that uses this API key. */
export function connect(client: Pick<Client, "secret">, more: Partial<ClientOptions> = {}): ExtractionClient {
  return new ExtractionClient({ apiKey: client.secret, baseUrl: ORIGIN, fetch: toWorker, ...more });
}

/**
 * Returns a client of the stand-in gateway. `behaviors` lists one behavior for each request, separated by commas.
 * `requests` returns the requests that arrived.
 */
export function connectToGateway(behaviors: string, more: Partial<ClientOptions> = {}) {
  const id = crypto.randomUUID();
  const baseUrl = `${inject("gateway")}/${id}/${behaviors}/`;
  return {
    client: new ExtractionClient({ apiKey: "sk_test_of-this-test", baseUrl, ...more }),
    requests: async (): Promise<GatewayRequest[]> =>
      await (await fetch(`${site}/__gateway-requests?path=${id}`)).json(),
  };
}

/**
 * Waits until the promise rejects with an ExtractionError, and returns the error. Throws if the promise has another
 * outcome.
 */
export async function failureOf(promise: Promise<unknown>): Promise<ExtractionError> {
  const failure = await promise.then(
    (value) => new Error(`Expected an ExtractionError, got ${JSON.stringify(value)}`),
    (error) => error,
  );
  if (failure instanceof ExtractionError) return failure;
  throw failure;
}

/** Returns all pages of an iteration. */
export async function collect<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const all: Page[] = [];
  for await (const each of pages) all.push(each);
  return all;
}
