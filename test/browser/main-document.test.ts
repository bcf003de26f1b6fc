import { describe, expect, it } from "vitest";
import { MainDocument } from "../../src/browser/main-document";

function respond(main: MainDocument, id: string, more: object = {}): void {
  const response = { status: 200, mimeType: "text/html", url: `https://a.example/${id}`, headers: {}, ...more };
  main.onResponse({ requestId: id, loaderId: id, response } as unknown as Parameters<MainDocument["onResponse"]>[0]);
}

function navigate(main: MainDocument, loaderId: string, unreachableUrl?: string): void {
  main.onNavigated({ loaderId, unreachableUrl } as Parameters<MainDocument["onNavigated"]>[0]);
}

function report(main: MainDocument, name: string, loaderId: string): void {
  main.onLifecycle({ name, loaderId } as Parameters<MainDocument["onLifecycle"]>[0]);
}

describe("the main document", () => {
  it("has the response of the document that the page shows", () => {
    const main = new MainDocument();
    respond(main, "1", { headers: { "X-A": "b" }, mimeType: "" });
    expect(main.response).toBeNull();
    navigate(main, "1");
    expect(main.response).toMatchObject({ url: "https://a.example/1", contentType: null, headers: { "x-a": "b" } });
    respond(main, "2");
    expect(main.response?.requestId).toBe("1");
    expect(main.lastResponse?.requestId).toBe("2");
  });

  it("joins headers of the same name as a plain response does", () => {
    const main = new MainDocument();
    respond(main, "1", { headers: { "X-Robots-Tag": "nofollow\nnoai" } });
    expect(main.lastResponse?.headers).toEqual({ "x-robots-tag": "nofollow, noai" });
  });

  it("has a response that arrives after the navigation", () => {
    const main = new MainDocument();
    navigate(main, "1");
    respond(main, "1");
    expect(main.response?.requestId).toBe("1");
  });

  it("keeps the previous response for a document without a request", () => {
    const main = new MainDocument();
    respond(main, "1");
    navigate(main, "1");
    navigate(main, "blank");
    expect(main.response?.requestId).toBe("1");
    expect([main.count, main.hasShown("1"), main.hasShown("2")]).toEqual([2, true, false]);
  });

  it("is ready and loaded when its own events say so", () => {
    const main = new MainDocument();
    navigate(main, "1");
    report(main, "load", "0");
    expect([main.isReady, main.isLoaded]).toEqual([false, false]);
    report(main, "DOMContentLoaded", "1");
    expect([main.isReady, main.isLoaded]).toEqual([true, false]);
    report(main, "load", "1");
    expect([main.isReady, main.isLoaded]).toEqual([true, true]);
    navigate(main, "2");
    expect([main.isReady, main.isLoaded]).toEqual([false, false]);
    main.onStopped();
    expect([main.isReady, main.isLoaded]).toEqual([true, true]);
  });

  it("is too large if its last response is", () => {
    const main = new MainDocument();
    respond(main, "1");
    main.onData(6);
    main.onData(4);
    expect(main.findFailure(10)).toBeNull();
    main.onData(1);
    expect(main.findFailure(10)).toMatchObject({ code: "target_too_large" });
    respond(main, "2");
    expect(main.findFailure(10)).toBeNull();
  });

  it.each([
    ["1", false, "connection_failed"],
    ["1", true, undefined],
    ["2", false, undefined],
  ])("is cut off if the request %s failed and wasn't canceled: %s", (requestId, canceled, code) => {
    const main = new MainDocument();
    respond(main, "1");
    main.onFailed({ requestId, canceled } as Parameters<MainDocument["onFailed"]>[0]);
    expect(main.findFailure(10)?.code).toBe(code);
  });

  it("has the URL of a page that could not be reached", () => {
    const main = new MainDocument();
    navigate(main, "1", "https://b.example/");
    expect(main.unreachable).toBe("https://b.example/");
    navigate(main, "2");
    expect(main.unreachable).toBeNull();
  });
});
