import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ICON_NAMES } from "../../src/dashboard/ui/icon";

const STYLE = ["base", "style"].map((name) => readFileSync(`assets/dashboard/${name}.css`, "utf8")).join("\n");

it.each(ICON_NAMES)("the style sheet has the shape of the icon %s", (name) => {
  expect(STYLE).toContain(`[data-icon="${name}"] {\n  --shape: url(`);
});
