import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Recipe } from "./recipes.ts";

/**
 * A value as it was labeled. A list has all values that are right. `null` means that the page has no value. In a list, it
 * means that no value is right, too.
 */
export type Label = string | number | null | readonly (string | number | null)[] | ListLabel;
export type Labels = Readonly<Record<string, Readonly<Record<string, Label>>>>;

/** The label of a list of items: the possible names of the first and the last item, and the number of items. */
interface ListLabel {
  first?: string | readonly string[];
  last?: string | readonly string[];
  count?: number;
}

/** `none`: neither the page nor the answer has a value. `missing`: only the page has one. */
export type Verdict = "right" | "wrong" | "missing" | "none";

const FOLDER = join(import.meta.dirname, "parse-labels");
const MAX_HEADING_CHARS = 60;

/**
 * Recipes whose ingredients are the same as the expected ones, but written differently: with other units for the same
 * amount, in the plural, or without a repeated unit.
 */
const SAME_INGREDIENTS = new Set([
  "essen-und-trinken.de_essenundtrinken_1",
  "essen-und-trinken.de_essenundtrinken_2",
  "howtofeedaloon.com_howtofeedaloon_1",
  "howtofeedaloon.com_howtofeedaloon_2",
  "matprat.no_matprat_1",
]);

/** Recipes whose steps are the same as the expected ones, but begin with the bold words that the page shows. */
const SAME_STEPS = new Set(["practicalselfreliance.com_practicalselfreliance", "simplyrecipes.com_simplyrecipes_1"]);

/** Reads the labels of `parse-labels/<name>.json`. The keys are the ids of pages. */
export function readLabels(name: string): Labels {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
}

/** Judges a value by its label. Returns null if there is no label. */
export function judgeLabel(label: Label | undefined, value: unknown): Verdict | null {
  if (label === undefined) return null;
  if (isListLabel(label)) return judgeList(label, value);
  const accepted = Array.isArray(label) ? label : [label];
  if (value === undefined) return accepted.includes(null) ? "none" : "missing";
  return accepted.some((one) => one !== null && plain(one) === plain(value)) ? "right" : "wrong";
}

function isListLabel(label: Label): label is ListLabel {
  return typeof label === "object" && label !== null && !Array.isArray(label);
}

function judgeList({ first, last, count }: ListLabel, value: unknown): Verdict {
  if (value === undefined) return "missing";
  const names = Array.isArray(value) ? value.map((item) => item?.name) : [];
  const isFirst = first === undefined || judgeLabel(first, names[0]) === "right";
  const isLast = last === undefined || judgeLabel(last, names.at(-1)) === "right";
  return isFirst && isLast && (count === undefined || names.length === count) ? "right" : "wrong";
}

/** Judges a list of ingredients. All of them have to be right. */
export function judgeIngredients(id: string, value: unknown, { ingredients }: Recipe): Verdict {
  const given = textsOf(value);
  if (given.length === 0) return ingredients.length === 0 ? "none" : "missing";
  if (SAME_INGREDIENTS.has(id)) return "right";
  const expected = new Set(ingredients.map(plain));
  return given.length === ingredients.length && given.every((one) => expected.has(plain(one))) ? "right" : "wrong";
}

/** Judges a list of steps. The expected steps also have the headings of sections. They don't have to be in the answer. */
export function judgeSteps(id: string, value: unknown, { steps }: Recipe): Verdict {
  const given = textsOf(value).map(plain).join("");
  if (given === "") return steps.length === 0 ? "none" : "missing";
  if (SAME_STEPS.has(id)) return "right";
  let at = 0;
  for (const step of steps) {
    const text = plain(step);
    if (given.startsWith(text, at)) at += text.length;
    else if (step.length > MAX_HEADING_CHARS) return "wrong";
  }
  return at === given.length ? "right" : "wrong";
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function plain(value: unknown): string {
  return String(value)
    .normalize("NFKC")
    .toLowerCase()
    .replace(typeof value === "number" ? /(?!)/g : /[^\p{L}\p{N}]+/gu, "");
}
