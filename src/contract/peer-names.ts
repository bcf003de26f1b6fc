import { fold, suggest } from "../lib/suggest";
import table from "./peer-names.json";

/** The names that similar services use for our parameters. A name can stand for parameters of several operations. */
const PARAMETER_ALIASES = toAliases(table.parameters);
/** The names that similar services use for our values. */
const VALUE_ALIASES = toAliases(table.values);
/** The advice about parameters of similar services that have no counterpart, by folded name. */
const NOTES: ReadonlyMap<string, string> = new Map(
  Object.entries(table.notes).map(([name, note]) => [fold(name), note]),
);

/** Returns our names by the folded alias. */
function toAliases(aliasesOf: Record<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [name, aliases] of Object.entries(aliasesOf))
    for (const alias of aliases.map(fold)) names.set(alias, [...(names.get(alias) ?? []), name]);
  return names;
}

/** Returns the known parameter that a misspelled one, or one of a similar service, probably stands for, or null. */
export function suggestParameter(name: string, known: readonly string[]): string | null {
  const aliases = PARAMETER_ALIASES.get(fold(name)) ?? [];
  const exact = known.find((candidate) => fold(candidate) === fold(name));
  return exact ?? aliases.find((alias) => known.includes(alias)) ?? suggest(name, known);
}

/** Returns the allowed value that another value probably stands for, or null. */
export function suggestValue(value: string, allowed: readonly string[]): string | null {
  const aliases = VALUE_ALIASES.get(fold(value)) ?? [];
  return aliases.find((alias) => allowed.includes(alias)) ?? suggest(value, allowed);
}

/** Returns a sentence about a parameter of similar services that this service doesn't have, or null. */
export function noteAbout(name: string): string | null {
  return NOTES.get(fold(name)) ?? null;
}
