import { toPointer } from "../../../json-schema/pointer";
import type { Pattern } from "./pattern";
import { readRules } from "./rules";

/** A value of the data, with the places that it is read from. */
export interface Rule {
  /** A JSON pointer, with `*` for the items of a list. */
  pointer: string;
  places: { address: string; reading: string }[];
}

/** Returns the stored rules of an extractor in a form for people. */
export function describeRules(rules: string): Rule[] {
  const scope = readRules(rules);
  return scope === null ? [] : describe(scope.pattern, []);
}

function describe(pattern: Pattern, path: readonly string[]): Rule[] {
  switch (pattern.kind) {
    case "absent":
      return [];
    case "leaf": {
      const places = pattern.locators.map((locator) => {
        const [address = "", reading = ""] = locator.split("\t");
        return { address, reading };
      });
      return [{ pointer: toPointer(path), places }];
    }
    case "object":
      return Object.entries(pattern.members).flatMap(([name, inner]) => describe(inner, [...path, name]));
    case "list": {
      const groups = Object.entries(pattern.groups);
      const places = groups.map(([address]) => ({ address, reading: "items" }));
      // The groups find the same items, so the rules of the first one describe them.
      const items = groups.slice(0, 1).flatMap(([, { scope }]) => describe(scope.pattern, [...path, "*"]));
      return places.length === 0 ? [] : [{ pointer: toPointer(path), places }, ...items];
    }
  }
}
