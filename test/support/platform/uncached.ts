// Fails a test file if the service sent a request for which Cloudflare's cache was allowed.
import { afterAll, expect } from "vitest";
import { DOMAIN } from "./names.ts";

afterAll(async () => {
  const requests = await (await fetch(`http://${DOMAIN}/__cacheable`)).json<string[]>();
  expect(requests, "requests without cache: no-store").toEqual([]);
});
