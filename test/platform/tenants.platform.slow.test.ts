// Tests of accounts that use a browser one after another, as on Cloudflare without BROWSER_SHARED.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { BrowserHost } from "../../src/browser/browser-host";
import type { RenderReply } from "../../src/browser/protocol";
import { BROWSER_IDLE_MS } from "../../src/model/page-limits";
import { newRenderRequest, page, querySite } from "../support/client";
import { type Fate, interceptCommands } from "../support/commands";

interface Hosted {
  render: (url: string, account: string, options?: { wait?: boolean }) => Promise<RenderReply>;
}

/** Runs a test with a host whose accounts don't share a browser. `decide` returns the fate of a command. */
async function withHost(
  name: string,
  test: (hosted: Hosted) => Promise<void>,
  decide: (method: string) => Fate | Promise<Fate> = () => "send",
): Promise<void> {
  await runInDurableObject(env.BROWSER_HOST.getByName(`tenants-${name}`), async (_, state) => {
    const BROWSER = interceptCommands(env.BROWSER, ({ method }) => decide(method));
    const host = new BrowserHost(state, { ...env, BROWSER, BROWSER_SHARED: "" });
    try {
      await test({
        render: (url, account, { wait = true } = {}) => host.render(newRenderRequest(url, { account }), { wait }),
      });
    } finally {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + BROWSER_IDLE_MS });
      await host.alarm();
      vi.useRealTimers();
    }
  });
}

describe("two accounts", () => {
  it("don't use a browser at the same time", async () => {
    await withHost("two", async ({ render }) => {
      const [first, second] = [page("held"), page("held")];
      const firsts = [render(first, "a"), render(first, "a")];
      await expect.poll(() => querySite("hits", first)).toBe(2);
      expect(await render(page("article"), "b", { wait: false })).toMatchObject({ kind: "full" });
      const waiting = render(second, "b");
      const third = render(page("article"), "a");
      expect(await querySite("hits", second)).toBe(0);
      await querySite("release", first);
      for (const reply of await Promise.all(firsts)) expect(reply).toMatchObject({ kind: "page" });
      await expect.poll(() => querySite("hits", second)).toBe(1);
      await querySite("release", second);
      expect(await waiting).toMatchObject({ kind: "page" });
      expect(await third).toMatchObject({ kind: "page" });
    });
  });

  it("don't use a browser at the same time after a render has failed", async () => {
    await withHost("failed", async ({ render }) => {
      expect(await render(page("reset"), "a")).toMatchObject({ kind: "failed" });
      expect(await render(page("article"), "b")).toMatchObject({ kind: "page" });
    });
  });

  it("don't use a browser before the page of the first account is closed", async () => {
    const closing = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const decide = async (method: string): Promise<Fate> => {
      if (method !== "Target.disposeBrowserContext") return "send";
      closing.resolve();
      await closed.promise;
      return "send";
    };
    await withHost(
      "closing",
      async ({ render }) => {
        expect(await render(page("article"), "a")).toMatchObject({ kind: "page" });
        await closing.promise;
        expect(await render(page("article"), "b", { wait: false })).toMatchObject({ kind: "full" });
        closed.resolve();
        expect(await render(page("article"), "b")).toMatchObject({ kind: "page" });
      },
      decide,
    );
  });

  it("don't use a browser in which the page of the first account couldn't be closed", async () => {
    const commands: string[] = [];
    const decide = (method: string): Fate => {
      commands.push(method);
      return method === "Target.disposeBrowserContext" ? "refuse" : "send";
    };
    await withHost(
      "unclosed",
      async ({ render }) => {
        expect(await render(page("article"), "a")).toMatchObject({ kind: "page" });
        expect(await render(page("article"), "b")).toMatchObject({ kind: "page" });
        expect(commands.filter((method) => method === "Browser.getVersion")).toHaveLength(2);
      },
      decide,
    );
  });
});
