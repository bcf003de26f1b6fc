import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError } from "../../../model/errors";
import type { Owner } from "../../../webhooks/settings";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormData, readFormFields } from "../../ui/form-data";

/** Returns the fields of a form of a mode. Throws AppError if the user has switched the mode in another tab. */
export async function readModeForm<const Name extends string>(
  c: Context<DashboardEnv>,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const form = await readFormFields(c, ["mode", ...names]);
  if (form.mode !== c.var.mode) {
    throw new AppError(
      "invalid_request",
      `Nothing was changed, because you switched to ${c.var.mode} data in another tab. Reload the page and try again.`,
    );
  }
  return form;
}

/** Returns the checked values of a group of checkboxes in the request's form. */
export async function readChecked(c: Context<DashboardEnv>, name: string): Promise<string[]> {
  return (await readFormData(c)).getAll(name).filter((value) => typeof value === "string");
}

/** Returns the owner of the webhook settings that the page shows. */
export function toOwner(c: Context<DashboardEnv>): Owner {
  return { account: c.var.account, mode: c.var.mode };
}

/** Returns the errors of a refused form and sets the status. Throws every other error again. */
export function toFormErrors(c: Context<DashboardEnv>, error: unknown): FormErrors {
  if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
  c.status(error.status as ContentfulStatusCode);
  return error.details === undefined
    ? new FormErrors(error.message)
    : new FormErrors("Please fix the highlighted fields.", error.details);
}
