import { readFileSync } from "node:fs";
import type { V4WorkerOptions } from "miniflare";
import { anyNetwork } from "../../../scripts/egress/network.ts";

/** The name of the Worker that stands in for Cloudflare's `fetch`. */
export const EDGE_WORKER = "edge";

/** The bindings of the stand-in. See `EdgeEnv` in edge-worker.ts. */
export interface EdgeBindings {
  DIAGNOSIS: string;
  SERVERS: string;
  NAMES: string;
}

/** Returns the options of the stand-in. The `outboundService` of the service refers to it. `script` is its bundle. */
export function edgeWorkerOptions(script: string, bindings: EdgeBindings): V4WorkerOptions {
  return {
    name: EDGE_WORKER,
    modules: [{ type: "ESModule", path: "edge.mjs", contents: readFileSync(script, "utf8") }],
    compatibilityDate: "2026-10-01",
    // connect_pass_through lets `connect()` reach the proxies of the tests.
    compatibilityFlags: ["nodejs_compat", "connect_pass_through"],
    bindings: { ...bindings },
    serviceBindings: { NETWORK: anyNetwork() },
  };
}
