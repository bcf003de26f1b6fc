import { AppError, type ErrorDetail } from "../model/errors";

/** The members of a zod issue that an error response uses. */
interface Issue {
  path: PropertyKey[];
  code?: string | undefined;
  keys?: string[] | undefined;
  values?: unknown[] | undefined;
  origin?: string | undefined;
  message: string;
}

/** The length of the longest value that an error message quotes. */
const MAX_QUOTED_CHARS = 40;

/**
 * Returns the error response for the issues that a zod schema found. It has one detail per invalid parameter. If
 * `input` is given, the message quotes short values.
 */
export function toInvalidRequest(issues: readonly object[], input?: unknown): AppError {
  const details = issues.flatMap((issue) => toDetails(issue as Issue, input));
  const first = details[0];
  return new AppError(
    "invalid_request",
    first === undefined ? "The request is not valid." : `The parameter '${first.path}' ${first.message}.`,
    { details },
  );
}

/** Throws AppError invalid_request if the body isn't a JSON object. */
export function checkIsObject(body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("invalid_request", "The body must be a JSON object.");
  }
}

/** Returns the details of an issue. An issue about unknown parameters has one detail for each unknown parameter. */
function toDetails(issue: Issue, input: unknown): ErrorDetail[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys" && issue.keys !== undefined) {
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      message: "is not a known parameter",
    }));
  }
  return [{ path: path === "" ? "body" : path, message: toMessage(issue) + quoteValue(issue, input) }];
}

/** Returns the rule that the parameter breaks. The text completes a sentence that begins with the parameter's name. */
function toMessage({ code, values, message }: Issue): string {
  const type = /^Invalid input: expected (\w+), received (\w+)$/.exec(message);
  if (type?.[2] === "undefined") return "is required";
  if (type?.[1] !== undefined && type[2] !== undefined)
    return `must be ${withArticle(type[1])}, not ${withArticle(type[2])}`;
  if (code === "invalid_value" && message.startsWith("Invalid option: ") && values !== undefined) {
    return `must be one of ${values.join(", ")}`;
  }
  return message.replace(/^Invalid input: /, "is invalid: ").replace(/\.$/, "");
}

function withArticle(type: string): string {
  if (type === "null") return type;
  if (type === "record") return "an object";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/**
 * Returns the end of the message, which quotes the given value. Returns an empty string if the value is long, or if the
 * rule isn't about the value.
 */
function quoteValue({ code, origin, path, message }: Issue, input: unknown): string {
  const isAboutValue =
    code === "invalid_value" ||
    code === "invalid_format" ||
    ((code === "too_small" || code === "too_big") && origin === "number");
  if (!isAboutValue || message.includes(";")) return "";
  const value = path.reduce<unknown>((parent, key) => (Object(parent) as Record<PropertyKey, unknown>)[key], input);
  if (typeof value === "number") return `, not ${value}`;
  return typeof value === "string" && value !== "" && value.length <= MAX_QUOTED_CHARS ? `, not '${value}'` : "";
}
