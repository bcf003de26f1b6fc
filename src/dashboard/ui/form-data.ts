import type { Context } from "hono";
import { AppError } from "../../model/errors";
import type { DashboardEnv } from "./env";

/**
 * The password fields. They are the only fields that aren't trimmed, because a password may begin or end with white
 * space.
 */
export const UNTRIMMED_FIELDS = new Set(["password", "current"]);

/** Returns the fields with these names, trimmed except for passwords. A missing field or a file is an empty string. */
export async function readFormFields<const Name extends string>(
  c: Context<DashboardEnv>,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const form = await readFormData(c);
  const entries = names.map((name) => {
    const value = form.get(name);
    if (typeof value !== "string") return [name, ""] as const;
    return [name, UNTRIMMED_FIELDS.has(name) ? value : value.trim()] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Returns the request's form. Throws AppError invalid_request if it can't be parsed. */
export async function readFormData(c: Context<DashboardEnv>): Promise<FormData> {
  return await c.req.formData().catch((cause) => {
    throw new AppError("invalid_request", "The form can't be read. Reload the page and try again.", { cause });
  });
}
