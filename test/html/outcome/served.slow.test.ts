import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { detectBlockPage } from "../../../src/html/block-pages/detect";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";

const FOLDER = join(import.meta.dirname, "../../fixtures/outcomes/served");

it.each([
  ["error_page", 0.87],
  ["blocked_by_target", 0.9],
  ["ok", 0.98],
])("recognizes most pages that sites serve with status 200 as %s", (label, minRecall) => {
  const pages = readdirSync(join(FOLDER, label));
  const missed = pages.filter((file) => {
    const html = readFileSync(join(FOLDER, label, file), "utf8");
    if (detectBlockPage({ status: 200, headers: new Map(), html }) !== null) return label !== "blocked_by_target";
    const response = { url: "https://page.example/", status: 200, rendered: false };
    return detectOutcome(openPage(html), response).outcome !== label;
  });
  expect(1 - missed.length / pages.length, missed.join(", ")).toBeGreaterThanOrEqual(minRecall);
});
