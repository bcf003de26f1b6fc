import { inject } from "vitest";
import { ExtractionClient } from "../../src/client/client";
import { ExtractionError } from "../../src/client/errors";
import type { ClientOptions, Fetch } from "../../src/client/transport";
import { type Client, ORIGIN, request, site } from "./client";
import type { GatewayRequest } from "./gateway";

/** The Worker itself, as the client's `fetch`. */
export const toWorker: Fetch = (url, init) => request(url.slice(ORIGIN.length), init);

/** What a user has who holds this key. */
export function connect(client: Pick<Client, "secret">, more: Partial<ClientOptions> = {}): ExtractionClient {
  return new ExtractionClient({ apiKey: client.secret, baseUrl: ORIGIN, fetch: toWorker, ...more });
}

/** A client of the gateway that behaves as listed, and what arrived there. */
export function connectToGateway(behaviours: string, more: Partial<ClientOptions> = {}) {
  const id = crypto.randomUUID();
  const baseUrl = `${inject("gateway")}/${id}/${behaviours}/`;
  return {
    client: new ExtractionClient({ apiKey: "sk_test_of-this-test", baseUrl, ...more }),
    requests: async (): Promise<GatewayRequest[]> =>
      await (await fetch(`${site}/__gateway-requests?path=${id}`)).json(),
  };
}

/** What this was refused with. */
export async function failureOf(promise: Promise<unknown>): Promise<ExtractionError> {
  const failure = await promise.then(
    (value) => new Error(`It succeeded: ${JSON.stringify(value)}`),
    (error) => error,
  );
  if (failure instanceof ExtractionError) return failure;
  throw failure;
}
