// The column `metadata` of the table `jobs`. It has one line of JSON per label, and a line break before the first and
// after the last line. A tag is a string. An entry of `metadata` is a list of its key, its value as text, and the type of
// a value that isn't a string. JSON text has no line breaks, so a search for a complete line finds exactly one label.
import type { Labels, LabelValue } from "../../model/labels";
import type { JobFilter } from "./types";

type EntryLine = [key: string, text: string, type?: "number" | "boolean"];

/** Returns the value of the column. Returns null if there are no labels. */
export function writeLabels(labels: Labels | null | undefined): string | null {
  if (labels === null || labels === undefined) return null;
  const lines = [...labels.tags, ...Object.entries(labels.metadata).map(toEntryLine)];
  return lines.length === 0 ? null : `\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function toEntryLine([key, value]: [string, LabelValue]): EntryLine {
  return typeof value === "string" ? [key, value] : [key, String(value), typeof value as "number" | "boolean"];
}

export function readLabels(column: string | null): Labels | null {
  if (column === null) return null;
  const lines = column.split("\n").filter((line) => line !== "");
  const values = lines.map((line) => JSON.parse(line) as string | EntryLine);
  const entries = values.filter((value) => typeof value !== "string");
  return {
    tags: values.filter((value) => typeof value === "string"),
    metadata: Object.fromEntries(entries.map(([key, text, type]) => [key, toValue(text, type)])),
  };
}

function toValue(text: string, type: EntryLine[2]): LabelValue {
  if (type === "number") return Number(text);
  return type === "boolean" ? text === "true" : text;
}

/**
 * Returns a JSON list of the texts that the column must contain. Returns null if the filter has no labels. An entry of
 * `metadata` is compared by the text of its value, so `42` matches the number and the string.
 */
export function toLabelTexts({ tags = [], metadata = {} }: Pick<JobFilter, "tags" | "metadata">): string | null {
  const texts = [
    ...tags.map((tag) => `\n${JSON.stringify(tag)}\n`),
    // The text has no closing bracket, because the type of the value can follow.
    ...Object.entries(metadata).map((entry) => `\n${JSON.stringify(entry).slice(0, -1)}`),
  ];
  return texts.length === 0 ? null : JSON.stringify(texts);
}
