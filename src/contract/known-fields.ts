import type { z } from "@hono/zod-openapi";

/** The members of a zod schema's definition that lead to the fields of an object. */
interface Definition {
  shape?: Record<string, z.ZodType>;
  /** The schema inside an optional schema or a default. */
  innerType?: z.ZodType;
  /** The input of a transformation. */
  in?: z.ZodType;
  /** The items of an array. */
  element?: z.ZodType;
}

/** Returns the names of the fields that a request's schema has at the path. Empty if there is no object. */
export function knownFields(schema: z.ZodType | undefined, path: readonly PropertyKey[] = []): string[] {
  const { shape, innerType, in: input, element } = (schema?.def ?? {}) as Definition;
  const inside = innerType ?? input;
  if (inside !== undefined) return knownFields(inside, path);
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape ?? {});
  return knownFields(shape?.[String(first)] ?? element, rest);
}
