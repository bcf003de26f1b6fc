import { toKey } from "./keys";

const VOCABULARY = /^(?:https?:\/\/(?:www\.)?schema\.org\/?|schema:)/i;

/** Words for the same state. The first one is the name in schema.org, as a key without spaces. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["instock", "available", "inventory", "onstock", "true", "yes"],
  ["outofstock", "soldout", "unavailable", "notavailable", "oos", "notinstock", "false", "no"],
  ["soldout", "outofstock", "unavailable", "notavailable"],
  ["preorder", "presale"],
  ["backorder", "backordered"],
  ["discontinued"],
  ["limitedavailability", "limitedstock", "lowstock", "limited"],
  ["onlineonly"],
  ["instoreonly"],
  ["newcondition", "new"],
  ["usedcondition", "used", "secondhand"],
  ["refurbishedcondition", "refurbished", "renewed"],
  ["damagedcondition", "damaged"],
  ["eventscheduled", "scheduled"],
  ["eventcancelled", "cancelled", "canceled"],
  ["eventpostponed", "postponed"],
  ["eventrescheduled", "rescheduled"],
  ["offlineeventattendancemode", "offline", "inperson", "onsite"],
  ["onlineeventattendancemode", "online", "virtual"],
  ["mixedeventattendancemode", "mixed", "hybrid"],
];
const IN_STOCK = new Set(["instock", "limitedavailability", "onlineonly", "instoreonly"]);
const OUT_OF_STOCK = new Set(["outofstock", "soldout", "discontinued"]);
const MAX_STATE_WORDS = 4;

/** Returns the name of a state, such as `InStock` for `https://schema.org/InStock`. Returns null for a long text. */
export function toStateName(text: string): string | null {
  const name = text.replace(VOCABULARY, "");
  return name !== "" && name.split(/\s+/).length <= MAX_STATE_WORDS && !name.includes("/") ? name : null;
}

/** Returns the option that means the same state. Returns null if no option or several options do. */
export function toStateOption(text: string, options: readonly string[]): string | null {
  const state = compact(text);
  const same = SYNONYMS.find(([name]) => name === state) ?? SYNONYMS.find((words) => words.slice(1).includes(state));
  for (const names of [[state], same ?? []]) {
    const [only, ...others] = options.filter((option) => names.includes(compact(option)));
    if (only !== undefined) return others.length === 0 ? only : null;
  }
  return null;
}

/** Returns true if the product is in stock, and false if it isn't. Returns null for another state, such as a preorder. */
export function toStateFlag(text: string): boolean | null {
  const state = compact(text);
  if (IN_STOCK.has(state)) return true;
  return OUT_OF_STOCK.has(state) ? false : null;
}

function compact(text: string): string {
  return toKey(text.replace(VOCABULARY, "")).replaceAll(" ", "");
}
