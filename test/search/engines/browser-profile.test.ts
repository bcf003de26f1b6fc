import { describe, expect, it } from "vitest";
import { BROWSER_PROFILES, requestHeaders } from "../../../src/search/engines/browser-profile";
import { ENGINES } from "../../../src/search/engines/engines";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";

describe("the request headers", () => {
  const query: SearchQuery = { text: "x", place: findPlace("TR"), language: null, device: "mobile" };

  it("have the browser's user agent and the language", () => {
    expect(requestHeaders(ENGINES.yandex, query)).toEqual({
      "user-agent": BROWSER_PROFILES.mobile.userAgent,
      accept: expect.stringContaining("text/html"),
      "accept-language": "tr-TR,tr;q=0.9",
    });
    expect(BROWSER_PROFILES.mobile.userAgent).toMatch(/Android.* Mobile /);
    expect(BROWSER_PROFILES.desktop.userAgent).not.toContain("Mobile");
  });

  it("have the cookies of Google's consent and Bing's market", () => {
    expect(requestHeaders(ENGINES.google, query).cookie).toMatch(/^SOCS=\w+; CONSENT=PENDING\+\d+$/);
    expect(requestHeaders(ENGINES.bing, query).cookie).toBe("_EDGE_S=mkt=tr-tr&ui=tr; _EDGE_CD=m=tr-tr&u=tr");
    expect(requestHeaders(ENGINES.bing, { ...query, place: null })).not.toHaveProperty("cookie");
  });
});
