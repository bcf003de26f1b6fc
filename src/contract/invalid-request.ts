import { AppError, type ErrorDetail } from "../model/errors";

/** Of a zod issue, what is told. */
interface Issue {
  path: PropertyKey[];
  code?: string | undefined;
  keys?: string[] | undefined;
  message: string;
}

/** What a schema of the contract refused, as the caller is told: one detail a parameter. */
export function toInvalidRequest(issues: readonly object[]): AppError {
  const details = issues.flatMap((issue) => toDetails(issue as Issue));
  const first = details[0];
  return new AppError(
    "invalid_request",
    first === undefined ? "The request is not valid." : `The parameter '${first.path}' ${first.message}.`,
    { details },
  );
}

/** Throws for a body that has no parameters at all. */
export function checkIsObject(body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("invalid_request", "The body must be a JSON object.");
  }
}

/** An unknown parameter is its own detail, under its own name. */
function toDetails(issue: Issue): ErrorDetail[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys" && issue.keys !== undefined) {
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      message: "is not a known parameter",
    }));
  }
  return [
    {
      path: path === "" ? "body" : path,
      message: issue.message
        .replace(/^Invalid option: expected one of /, "must be one of ")
        .replace(/^Invalid input: /, "is invalid: ")
        .replace(/\.$/, ""),
    },
  ];
}
