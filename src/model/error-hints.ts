import texts from "./error-help.json";
import type { ErrorCode } from "./errors";

/**
 * The next step of the caller, for each error code. Error responses, the error reference and the dashboard show these
 * texts. An `AppError` can have its own hint, if it knows more than its code says.
 */
export const ERROR_HINTS = Object.fromEntries(
  Object.entries<{ hint: string }>(texts).map(([code, { hint }]) => [code, hint]),
) as { [C in ErrorCode]: string };
