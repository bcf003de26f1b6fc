// A stand-in for the SQL API of Analytics Engine. It responds to the queries of the admin pages and refuses all other
// queries.
import { createServer } from "node:http";
import { listen } from "./loopback.ts";
import { sendJson } from "./responses.ts";

export const ANALYTICS_TOKEN = "test analytics token";
export const ANALYTICS_ACCOUNT_ID = "0123456789abcdef0123456789abcdef";

/** The columns that a query selects, with the types that the API returns. Large integers are strings. */
const ROWS = [
  { status: "200", code: "", requests: "90" },
  { status: "429", code: "rate_limited", requests: 8 },
  { status: "402", code: "insufficient_credits", requests: 2 },
];

export async function startAnalytics(): Promise<{ origin: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sql = Buffer.concat(chunks).toString();
    const respond = (status: number, body: unknown) => sendJson(response, body, { status });
    const path = `/client/v4/accounts/${ANALYTICS_ACCOUNT_ID}/analytics_engine/sql`;
    if (request.method !== "POST" || request.url !== path) return respond(404, { errors: ["no such path"] });
    if (request.headers.authorization !== `Bearer ${ANALYTICS_TOKEN}`) return respond(403, { errors: ["forbidden"] });
    const isKnown = /^SELECT .* FROM \w+ WHERE blob1 = 'request' AND timestamp >= .* GROUP BY .* FORMAT JSON$/s;
    if (!isKnown.test(sql)) return respond(422, { errors: ["syntax error"] });
    respond(200, { meta: [], data: ROWS, rows: ROWS.length });
  });
  const { origin, close } = await listen(server);
  return { origin, close };
}
