import { AppError } from "../model/errors";

/** Returns the error of a document that is broken. `why` completes the sentence. */
export function unreadable(why: string, cause?: unknown): AppError {
  return new AppError("unsupported_content", `The document can't be read, because ${why}.`, { cause });
}
