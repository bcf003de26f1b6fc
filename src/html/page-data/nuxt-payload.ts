const MAX_DEPTH = 24;
/** The maximum number of values that are created, because a payload can refer to the same value many times. */
const MAX_VALUES = 50_000;
/** The wrappers of reactive values. They have one value. */
const WRAPPERS = new Set(["Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef", "Date"]);

/**
 * Returns the value of a Nuxt 3 payload. A payload is a list whose items refer to each other by their index, with the
 * root first: https://github.com/Rich-Harris/devalue. Returns undefined if it isn't a payload.
 */
export function fromNuxtPayload(payload: unknown): unknown {
  if (!Array.isArray(payload) || payload.length === 0) return undefined;
  return new PayloadReader(payload).read(0, 0);
}

class PayloadReader {
  readonly #payload: readonly unknown[];
  #values = 0;

  constructor(payload: readonly unknown[]) {
    this.#payload = payload;
  }

  read(index: unknown, depth: number): unknown {
    // Negative numbers stand for undefined and similar values.
    if (typeof index !== "number" || index < 0 || depth > MAX_DEPTH || ++this.#values > MAX_VALUES) return undefined;
    const value = this.#payload[index];
    if (typeof value !== "object" || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, at]) => [name, this.read(at, depth + 1)]));
    }
    const [kind, inner, ...others] = value;
    if (typeof kind !== "string") return value.map((at) => this.read(at, depth + 1));
    if (kind === "Date") return inner;
    if (WRAPPERS.has(kind)) return this.read(inner, depth + 1);
    return kind === "Set" ? [inner, ...others].map((at) => this.read(at, depth + 1)) : undefined;
  }
}
