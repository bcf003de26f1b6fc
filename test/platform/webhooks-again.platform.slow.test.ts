// Runs these tests again with the stand-ins for Cloudflare's `fetch` and browser service. The local runtime throws an
// error where Cloudflare returns a response.
import { describe } from "vitest";

describe("alerts", async () => void (await import("../webhooks/alerts.worker.slow.test")));
describe("batch-events", async () => void (await import("../webhooks/batch-events.worker.test")));
describe("deliveries", async () => void (await import("../webhooks/deliveries.worker.test")));
describe("event", async () => void (await import("../webhooks/event.worker.test")));
describe("faults", async () => void (await import("../webhooks/faults.worker.test")));
describe("jobs", async () => void (await import("../webhooks/jobs.worker.test")));
describe("limits", async () => void (await import("../webhooks/limits.worker.test")));
describe("settings", async () => void (await import("../webhooks/settings.worker.test")));
