import { type Figure, p50, timeInTurn } from "./figures.ts";
import type { Running, World } from "./world.ts";

const DISTANCES_MS = [0, 40, 160] as const;
/** Timers and the work between two calls can take this many milliseconds longer than in the run without delays. */
const TOLERANCE_MS = 60;
const ROUNDS = 20;

/**
 * Delays each call to a Durable Object, to a queue and to D1 by 0, 40 and 160 ms. Each request loads the deny lists, as in
 * an isolate that has just started. The number of sequential calls is the added time divided by the delay. `waits` is
 * the number of calls that the architecture allows.
 */
export async function distance(world: World): Promise<Figure[]> {
  const [near, middle, far] = await Promise.all(
    DISTANCES_MS.map((awayMs) => world.startOurs({ awayMs, hasColdLists: true })),
  );
  if (near === undefined || middle === undefined || far === undefined) throw new Error("A service didn't start.");
  const figures: Figure[] = [];
  for (const { name, waits, send } of OPERATIONS) {
    const times = await timeInTurn(
      { near: () => send(near, world), middle: () => send(middle, world), far: () => send(far, world) },
      ROUNDS,
    );
    const [floor, at40, at160] = [p50(times.near), p50(times.middle), p50(times.far)];
    const added = at160 - floor;
    figures.push({
      what: `${name}, calls delayed by ${DISTANCES_MS[2]} ms`,
      unit: "ms",
      ours: at160,
      floor,
      goal: { text: `${waits} sequential calls`, met: added <= waits * DISTANCES_MS[2] + TOLERANCE_MS },
      more: { "at 40 ms": at40, "sequential calls": Math.round((10 * added) / DISTANCES_MS[2]) / 10 },
    });
  }
  await Promise.all([near, middle, far].map((service) => service.stop()));
  return figures;
}

interface Operation {
  name: string;
  waits: number;
  send: (service: Running, world: World) => Promise<unknown>;
}

const SCHEMA = {
  type: "object",
  properties: { headline: { type: "string" }, datePublished: { type: "string" } },
  required: ["headline"],
};

const OPERATIONS: readonly Operation[] = [
  {
    name: "sync scrape",
    waits: 3,
    send: (service, { trivial: url }) => service.post("/v1/scrape?wait=true", { url }, 200),
  },
  {
    name: "sync scrape of a plain page with render: auto",
    waits: 3,
    send: (service, { target: url }) => service.post("/v1/scrape?wait=true", { url, render: "auto" }, 200),
  },
  {
    name: "sync parse from declared data",
    waits: 3,
    send: (service, { declared: url }) =>
      service.post("/v1/parse?wait=true", { url, prompt: "the article", schema: SCHEMA, strategy: "page" }, 200),
  },
  {
    name: "MCP tool call",
    waits: 3,
    send: (service, { trivial: url }) =>
      service.post(
        "/mcp",
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "scrape", arguments: { url } } },
        200,
      ),
  },
  {
    name: "async scrape",
    waits: 2,
    send: (service, { trivial: url }) => service.post("/v1/scrape", { url }, 202),
  },
  { name: "list of jobs", waits: 2, send: (service) => service.get("/v1/jobs?limit=1") },
  { name: "usage", waits: 2, send: (service) => service.get("/v1/usage") },
];
