/** The value that replaces a secret in stored requests and job records. */
export const REDACTED = "[redacted]";

/**
 * The fields of requests whose values are secrets. `*` stands for each member of an object and each item of a list. If
 * `type` is given, the field is a secret only in an object whose member `type` has this value.
 */
const SECRET_FIELDS: readonly { path: readonly string[]; type?: string }[] = [
  { path: ["headers", "*"] },
  { path: ["cookies", "*"] },
  { path: ["cookies", "*", "value"] },
  { path: ["basic_auth", "*"] },
  { path: ["actions", "*", "text"], type: "type" },
];

type Secret = [path: string[], value: string];

type Container = Record<string, unknown>;

/**
 * Splits the secrets from a validated request. `shown` is the request with "[redacted]" instead of each secret.
 * `secrets` is the JSON that `joinSecrets` needs, or null if the request has no secrets.
 */
export function splitSecrets<T extends object>(request: T): { shown: T; secrets: string | null } {
  const found = SECRET_FIELDS.flatMap(({ path, type }) => findSecrets(request, path, type));
  if (found.length === 0) return { shown: request, secrets: null };
  const shown = { ...request };
  for (const name of new Set(found.flatMap(([path]) => path.slice(0, 1)))) {
    Object.assign(shown, { [name]: structuredClone((request as Container)[name]) });
  }
  for (const [path] of found) setValue(shown, path, REDACTED);
  return { shown, secrets: JSON.stringify(found) };
}

/** Puts the secrets back into the request. Changes `request` and returns it. */
export function joinSecrets<T>(request: T, secrets: string): T {
  for (const [path, value] of JSON.parse(secrets) as Secret[]) setValue(request, path, value);
  return request;
}

/** Returns true if the value at the path may be a secret or contain one. Error messages don't quote such a value. */
export function maybeSecret(path: readonly PropertyKey[]): boolean {
  return SECRET_FIELDS.some(
    ({ path: field }) =>
      path.length > 0 &&
      path.every((name, i) => i >= field.length || field[i] === "*" || field[i] === String(name)) &&
      // A list of actions isn't a secret, but an invalid list of cookies may be one.
      (field[0] !== "actions" || path.length >= field.length),
  );
}

function findSecrets(value: unknown, path: readonly string[], type: string | undefined): Secret[] {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? [[[], value]] : [];
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Container;
  if (rest.length === 0 && type !== undefined && parent.type !== type) return [];
  const names = name === "*" ? Object.keys(parent) : Object.hasOwn(parent, name) ? [name] : [];
  return names.flatMap((own) =>
    findSecrets(parent[own], rest, type).map(([inner, secret]): Secret => [[own, ...inner], secret]),
  );
}

function setValue(request: unknown, path: readonly string[], value: string): void {
  const parent = path.slice(0, -1).reduce<unknown>((part, name) => (part as Container | undefined)?.[name], request);
  const last = path.at(-1);
  // Defines the property, because a header named `__proto__` would otherwise change the object's prototype.
  if (typeof parent === "object" && parent !== null && last !== undefined)
    Object.defineProperty(parent, last, { value, configurable: true, enumerable: true, writable: true });
}
