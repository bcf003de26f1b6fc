import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EngineName } from "../../../src/model/engine";
import { ENGINES } from "../../../src/search/engines/engines";

/** `npm run lab -- serp-page` stores a page that a customer reported and what must be read from it. */
const FOLDER = join(import.meta.dirname, "../../fixtures/serp/reported");

interface Reported {
  engine: EngineName;
  url: string;
  page: object;
}

it("reads every reported page as its JSON file says", () => {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((file) => file.endsWith(".json")) : [];
  for (const file of files) {
    const { engine, url, page }: Reported = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    const html = readFileSync(join(FOLDER, file.replace(/\.json$/, ".html")), "utf8");
    expect(JSON.parse(JSON.stringify(ENGINES[engine].readPage(html, url))), file).toEqual(page);
  }
});
