import type { KeyName } from "../../store/keys";

/**
 * Returns the name of the key that created a job. For a key without a name, returns its last characters. For a deleted
 * key, returns the last characters of its id.
 */
export function toKeyLabel(id: string, keys: readonly KeyName[]): string {
  if (id === "dashboard") return "Playground";
  const key = keys.find((each) => each.id === id);
  if (key === undefined) return `Deleted key ${id.slice(-4)}`;
  return key.name ?? `…${key.last4}`;
}
