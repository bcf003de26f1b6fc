import { describe, expect, it } from "vitest";
import { MainDocument } from "../../src/browser/main-document";
import { explainRenderError, toNavigationError } from "../../src/browser/navigation-errors";
import type { Tab } from "../../src/browser/tab";
import { page, querySite } from "../support/client";

/** Returns the error of a navigation to the URL, as the caller gets it. */
async function explain(errorText: string, url: string, { resolver = page("dns"), proxy = false } = {}) {
  const tab = { main: new MainDocument(), refused: null, failure: null, proxy: proxy ? {} : null } as unknown as Tab;
  return await explainRenderError(toNavigationError(errorText, tab, url), resolver);
}

describe.each(["net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_CONNECTION_CLOSED"])("%s", (errorText) => {
  it("is dns_failure if one DNS query shows that the name doesn't exist", async () => {
    const resolver = page("dns");
    expect(await explain(errorText, "https://nowhere.world.example/a", { resolver })).toMatchObject({
      code: "dns_failure",
      message: "The name nowhere.world.example could not be resolved.",
    });
    expect(await querySite("hits", resolver)).toBe(1);
  });

  it.each([
    ["if the name exists", "https://public.world.example/", {}],
    ["if the resolver fails", "https://nowhere.world.example/", { resolver: page("reset") }],
    ["if a proxy resolves the names", "https://nowhere.world.example/", { proxy: true }],
    ["for an IP address", "https://93.184.216.34/", {}],
    ["for an IPv6 address", "https://[2606:2800:220:1::1]/", {}],
  ])("is connection_failed %s", async (_, url, options) => {
    const error = await explain(errorText, url, options);
    expect(error).toMatchObject({ code: "connection_failed" });
    expect(error.message).toContain(errorText.replace("net::", ""));
  });
});
