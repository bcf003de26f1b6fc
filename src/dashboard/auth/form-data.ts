import type { Context } from "hono";
import type { DashboardEnv } from "../env";

/** The texts of a form's fields; those that weren't sent, and files, are empty. */
export async function readForm<const Name extends string>(
  c: Context<DashboardEnv>,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const form = await c.req.formData();
  const entries = names.map((name) => {
    const value = form.get(name);
    return [name, typeof value === "string" ? value.trim() : ""] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Where to go after the sign-in: a page of the dashboard, never another site. */
export function toReturnPath(to: string): string {
  return /^\/dashboard(?:[/?]|$)/.test(to) ? to : "/dashboard";
}
