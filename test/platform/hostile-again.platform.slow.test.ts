// Runs these tests again with the stand-ins for Cloudflare's `fetch` and browser service. The local runtime throws an
// error where Cloudflare returns a response.
import { describe } from "vitest";

describe("plain", async () => void (await import("../hostile/plain.worker.slow.test")));
