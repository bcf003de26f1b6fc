import type { DataNode, DataValue } from "../../../html/page-data/data-node";
import { collapseAndTrim } from "../../../html/parse/white-space";
import type { Candidates } from "./candidates";
import type { Filled, Mark } from "./filled";
import { toKey } from "./keys";
import type { Shape } from "./shape";

/** The keys of the property that has the text of a step. */
const TEXT_KEYS = new Set(["text", "instruction", "step", "description", "direction", "content", "detail"]);
const NUMBER_KEYS = new Set(["number", "step", "position", "order", "index", "step number"]);
const NUMBERING = /^(?:step\s*)?\d{1,2}\s*[.):]\s*(?=\D)/i;
const SEVERAL = /[.!)]\s*\b2\s?[.)]/;
/** Steps that are shorter on average are only the titles of steps. */
const MIN_MEAN_CHARS = 35;
const MIN_TITLED_STEPS = 4;
const MAX_STEPS = 500;
const MAX_DEPTH = 4;

interface Step {
  text: string;
  source: DataValue["source"];
}

/** Fills a list of steps. The steps of sections become one list. A text with several lines has a step in each line. */
export function fillSteps({ declared }: Candidates, items: Shape): Filled | null {
  const [steps, ...others] = declared.map(stepsIn).filter((found) => found.length > 0);
  if (steps === undefined) return null;
  const texts = textsOf(steps);
  // The text has several steps that can't be separated reliably.
  if (steps.length === 1 && SEVERAL.test(texts)) return null;
  if (steps.length >= MIN_TITLED_STEPS && texts.length < MIN_MEAN_CHARS * steps.length) return null;
  const isRivaled = others.some((rival) => rival[0]?.source === steps[0]?.source && textsOf(rival) !== texts);
  if (isRivaled || steps.length > MAX_STEPS) return null;
  return items.types.has("object") ? toObjects(steps, items) : items.types.has("string") ? toTexts(steps) : null;
}

function textsOf(steps: readonly Step[]): string {
  return steps.map(({ text }) => text).join("\n");
}

function toTexts(steps: readonly Step[]): Filled {
  return {
    value: steps.map(({ text }) => text),
    marks: steps.map(({ text, source }, at) => ({ path: [String(at)], source, quote: text })),
  };
}

function toObjects(steps: readonly Step[], { properties, required }: Shape): Filled | null {
  const names = [...properties.keys()];
  const textName = names.find((name) => TEXT_KEYS.has(toKey(name)));
  const numberName = names.find((name) => name !== textName && NUMBER_KEYS.has(toKey(name)));
  if (textName === undefined || [...required].some((name) => name !== textName && name !== numberName)) return null;
  const isNumbered = numberName !== undefined && required.has(numberName);
  const marks: Mark[] = steps.map(({ text, source }, at) => ({ path: [String(at), textName], source, quote: text }));
  return {
    value: steps.map(({ text }, at) => ({ ...(isNumbered && { [numberName]: at + 1 }), [textName]: text })),
    marks,
  };
}

function stepsIn(nodes: readonly DataNode[]): Step[] {
  const texts = collect(nodes, 0);
  const [only, ...others] = texts;
  const lines = only !== undefined && others.length === 0 ? String(only.value).split("\n") : null;
  const steps =
    lines?.map((line) => ({ text: line, source: only?.source ?? "json_ld" })) ??
    texts.map(({ value, source }) => ({ text: String(value), source }));
  return steps
    .map(({ text, source }) => ({ text: collapseAndTrim(text.replace(NUMBERING, "")), source }))
    .filter(({ text }) => text !== "");
}

function collect(nodes: readonly DataNode[], depth: number): DataValue[] {
  if (depth > MAX_DEPTH) return [];
  return nodes.flatMap((node) => {
    if (node.kind === "value") return [node];
    if (node.kind === "list") return collect(node.items, depth);
    const member = (name: string) => node.members.find((one) => one.name === name);
    const inner = member("itemListElement") ?? member("steps") ?? member("step");
    const text = member("text") ?? member("description");
    if (inner !== undefined && text === undefined) return collect([inner], depth + 1);
    const own = text ?? member("name");
    return own === undefined ? [] : collect([own], depth + 1);
  });
}
