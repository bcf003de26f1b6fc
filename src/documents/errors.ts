import { AppError } from "../model/errors";

/** Returns the error for a broken document. `why` is the last part of the message. */
export function unreadable(why: string, cause?: unknown): AppError {
  return new AppError("unsupported_content", `The document can't be read, because ${why}.`, { cause });
}
