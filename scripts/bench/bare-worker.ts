// The floor that the bench measures against: the platform's own calls, with nothing around them.

import { DurableObject } from "cloudflare:workers";
import puppeteer, { type Browser } from "@cloudflare/puppeteer";

interface BareEnv {
  BROWSER: BrowserRun;
  HOLDER: DurableObjectNamespace<BrowserHolder>;
}

/** A warm browser, held as the product holds its own; a new page for each request, without a context of its own. */
export class BrowserHolder extends DurableObject<BareEnv> {
  #browser: Promise<Browser> | null = null;

  async render(url: string): Promise<string> {
    this.#browser ??= puppeteer.launch(this.env.BROWSER);
    const page = await (await this.#browser).newPage();
    try {
      await page.goto(url, { waitUntil: "load" });
      return await page.content();
    } finally {
      this.ctx.waitUntil(page.close());
    }
  }
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url).searchParams.get("url") ?? "";
    if (new URL(request.url).pathname === "/render") return new Response(await env.HOLDER.getByName("one").render(url));
    const response = await fetch(url, { redirect: "manual" });
    return new Response(await response.arrayBuffer());
  },
} satisfies ExportedHandler<BareEnv>;
