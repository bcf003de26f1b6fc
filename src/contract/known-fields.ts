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
  /** The members of a union. */
  options?: z.ZodType[];
  /** The name of the field that selects a member of the union. */
  discriminator?: string;
}

/**
 * Returns the names of the fields that a request's schema has at the path. Returns an empty list if the path isn't that
 * of an object. `value` is the request, which selects the member of a union.
 */
export function knownFields(
  schema: z.ZodType | undefined,
  path: readonly PropertyKey[] = [],
  value?: unknown,
): string[] {
  const { shape, innerType, in: input, element, options, discriminator } = (schema?.def ?? {}) as Definition;
  const inside = innerType ?? input;
  if (inside !== undefined) return knownFields(inside, path, value);
  if (options !== undefined) {
    const selected =
      discriminator === undefined ? options : options.filter((option) => isSelected(option, discriminator, value));
    return selected.flatMap((option) => knownFields(option, path, value));
  }
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape ?? {});
  return knownFields(shape?.[String(first)] ?? element, rest, (Object(value) as Record<PropertyKey, unknown>)[first]);
}

/** Returns true if the value has the discriminator of this member of a union. */
function isSelected(option: z.ZodType, discriminator: string, value: unknown): boolean {
  const field = (option.def as Definition).shape?.[discriminator];
  return field?.safeParse((Object(value) as Record<string, unknown>)[discriminator]).success === true;
}
