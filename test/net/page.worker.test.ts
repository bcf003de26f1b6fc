import { expect, it } from "vitest";
import { createClient, page, querySite, read } from "../support/client";

it.each([
  ["once, if the target is busy for a moment", "?times=1&after=1", 200, 2],
  ["only once, if the target stays busy", "?times=9&after=1", 502, 2],
])("a page is requested again %s", async (_, query, status, hits) => {
  const url = page("busy");
  const { scrape } = await createClient();
  const response = await scrape({ url: url + query });
  expect(response.status).toBe(status);
  if (status !== 200) expect((await read(response)).error.code).toBe("target_http_error");
  expect(await querySite("hits", url)).toBe(hits);
});
