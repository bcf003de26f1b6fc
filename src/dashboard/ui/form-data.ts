import { AppError } from "../../model/errors";
import type { DashboardContext } from "./env";
import { FormErrors } from "./form";

/** The password fields. Only they aren't trimmed, because a password may begin or end with white space. */
export const UNTRIMMED_FIELDS = new Set(["password", "current"]);

/** Returns the fields with these names, trimmed except for passwords. A missing field or a file is an empty string. */
export async function readFormFields<const Name extends string>(
  c: DashboardContext,
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
export async function readFormData(c: DashboardContext): Promise<FormData> {
  return await c.req.formData().catch((cause) => {
    throw new AppError("invalid_request", "The form can't be read. Reload the page and try again.", { cause });
  });
}

/** Returns the errors of a refused form, and sets the status of the response. Throws an error that isn't an AppError. */
export function refuseForm(c: DashboardContext, error: unknown): FormErrors {
  if (!(error instanceof AppError)) throw error;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  c.set("errorCode", error.code);
  c.status(error.status as 400);
  return FormErrors.of(error);
}

/** Returns the checked values of a group of checkboxes in the request's form. */
export async function readChecked(c: DashboardContext, name: string): Promise<string[]> {
  return (await readFormData(c)).getAll(name).filter((value) => typeof value === "string");
}
