import { expect, it } from "vitest";
import { parseDocument } from "../../../src/html/parse/document";
import { ENGINES } from "../../../src/search/engines/engines";
import { findAll } from "../../../src/search/results/dom";
import { toMatcher } from "../../../src/search/results/matchers";
import { PAGES } from "./pages";

/**
 * These pages never match the selector. One is a notice without a class name. The scripts of the other may replace the
 * page.
 */
const NEVER_READY = new Set(["googleNoneBasic", "googleShell"]);

it.each(Object.entries(PAGES))("the ready selector matches a loaded page: %s", (name, html) => {
  const engine = Object.entries(ENGINES).find(([prefix]) => name.startsWith(prefix))?.[1];
  const found = findAll(parseDocument(html), toMatcher(engine?.readySelector ?? "#none"), 1);
  expect(found.length > 0).toBe(!NEVER_READY.has(name));
});

it.each(Object.values(ENGINES))("the ready selector doesn't match a page that reloads itself", ({ readySelector }) => {
  const html = '<form><input name="q" value="x"></form><p>Verifying your request</p>';
  expect(findAll(parseDocument(html), toMatcher(readySelector))).toEqual([]);
});
