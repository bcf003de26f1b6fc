import type { Context } from "hono";
import { invalidParameter } from "../../../contract/invalid-request";
import { AppError } from "../../../model/errors";
import type { DashboardEnv } from "../../ui/env";
import { readFormData } from "../../ui/form-data";
import type { FormValues } from "./form-values";

/** Reads the values of the submitted form. */
export async function readFormValues(c: Context<DashboardEnv>): Promise<FormValues> {
  const values = new URLSearchParams();
  // Browsers send line breaks as CRLF.
  for (const [name, value] of await readFormData(c)) values.append(name, String(value).replaceAll("\r\n", "\n"));
  return values;
}

/**
 * Throws AppError if the form was shown in another mode. Otherwise, a request that was entered in test mode could cost
 * credits, because the user has switched to live mode in another tab. `refused` and `button` are parts of the message.
 */
export function assertShownMode(
  c: Context<DashboardEnv>,
  shown: string | null,
  { refused, button }: { refused: string; button: string },
): void {
  const { mode } = c.var;
  if (shown === mode) return;
  const message = `${refused}, because you switched to ${mode} data in another tab. Select “${button}” again to use ${mode} data.`;
  throw new AppError("invalid_request", message);
}

/** Sets the status and the headers of the response to an AppError, and returns it. Throws any other error. */
export function respondWith(c: Context<DashboardEnv>, error: unknown): AppError {
  if (!(error instanceof AppError)) throw error;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  c.set("errorCode", error.code);
  c.status(error.status as 400);
  return error;
}

/** Parses the field with the options of all pages. An empty field means no options. */
export function readOptions(values: FormValues, name: string): unknown {
  const text = values.get(name) ?? "";
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidParameter(name, "must be valid JSON", { cause });
  }
}
