/** A place that a value is read from, as `describeRules` returns it. */
interface RulePlace {
  address: string;
  reading: string;
}

/** The names of the readings without parameters. */
const READINGS: Record<string, string> = {
  text: "the text",
  date: "the date",
  currency: "the currency",
  member: "one of the allowed values",
  boolean: "yes or no",
  items: "the items",
};

/** Describes the places of a value in words, such as `the number next to the label “price” (dd)`, each one once. */
export function describePlaces(places: readonly RulePlace[]): string[] {
  return [...new Set(places.map(({ address, reading }) => `${describeReading(reading)} ${describeAddress(address)}`))];
}

function describeReading(reading: string): string {
  const [kind = "", parameters = ""] = splitAt(reading, ":");
  if (kind === "number") {
    // For example `.0/2`: the first of two numbers, with a decimal point.
    const [, at = "0", count = "1"] = /^.(\d+)\/(\d+)$/.exec(parameters) ?? [];
    return count === "1" ? "the number" : `number ${Number(at) + 1} of ${count}`;
  }
  if (kind === "between") {
    const [before = "", after = ""] = JSON.parse(parameters) as string[];
    const limits = [before && `after “${before.trim()}”`, after && `before “${after.trim()}”`];
    return `the text ${limits.filter(Boolean).join(" and ")}`;
  }
  return READINGS[reading] ?? reading;
}

function describeAddress(address: string): string {
  const [kind = "", rest = ""] = splitAt(address, ":");
  const [words = "", path = ""] = splitAt(rest, "|");
  switch (kind) {
    case "path":
      return rest === "." ? "of the item" : `in ${toPathText(rest)}`;
    case "class":
      return `in ${toPathText(rest)}`;
    case "label":
      return `next to the label “${words}” (${path})`;
    case "starts":
      return `of the text that starts with “${words}” in ${toPathText(path)}`;
    case "heading":
      return `below the heading “${words}” in ${toPathText(path)}`;
    default:
      return `at ${address}`;
  }
}

function toPathText(path: string): string {
  return path.replace(/^@/, "").replaceAll(">", " > ");
}

/** Returns the text before and after the first separator. */
function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
