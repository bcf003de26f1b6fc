import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";
import { OUTCOMES } from "../../../src/model/job";

const FOLDER = join(import.meta.dirname, "../../fixtures/outcomes/dev");
const MIN_RECALL = 0.97;

it.each(OUTCOMES)("detects almost all labeled pages as %s", (outcome) => {
  const pages = readdirSync(join(FOLDER, outcome)).filter((file) => file.endsWith(".html"));
  const missed = pages.filter((file) => {
    const page = openPage(readFileSync(join(FOLDER, outcome, file), "utf8"));
    return detectOutcome(page, { url: "https://page.example/", status: 200, rendered: false }).outcome !== outcome;
  });
  expect(pages.length).toBeGreaterThanOrEqual(15);
  expect(1 - missed.length / pages.length, missed.join(", ")).toBeGreaterThanOrEqual(MIN_RECALL);
});
