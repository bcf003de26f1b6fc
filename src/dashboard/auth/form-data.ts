import type { Context } from "hono";
import { AppError } from "../../model/errors";
import type { DashboardEnv } from "../ui/env";

/** Fields that are taken as they were typed, white space and all: passwords. */
export const AS_TYPED = new Set(["password", "current"]);

/** The texts of a form's fields without white space around them; those that weren't sent, and files, are empty. */
export async function readForm<const Name extends string>(
  c: Context<DashboardEnv>,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const form = await readFormData(c);
  const entries = names.map((name) => {
    const value = form.get(name);
    if (typeof value !== "string") return [name, ""] as const;
    return [name, AS_TYPED.has(name) ? value : value.trim()] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** A form as it was sent. Throws AppError for what isn't one. */
export async function readFormData(c: Context<DashboardEnv>): Promise<FormData> {
  return await c.req.formData().catch((cause) => {
    throw new AppError("invalid_request", "This form could not be read. Load the page again.", { cause });
  });
}

/** Where to go after the sign-in: a page of the dashboard, never another site. */
export function toReturnPath(to: string): string {
  // Read as a browser would: what is another host, or climbs out of the dashboard, shows only then.
  const url = URL.parse(to, NOWHERE);
  if (url === null || url.origin !== NOWHERE || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return "/dashboard";
  return `${url.pathname}${url.search}`;
}

const NOWHERE = "http://dashboard.invalid";
