// Converts the session's parameters to the text of their fields and back: one header or cookie per line, and
// `user:password`.
import { AppError } from "../../../model/errors";

type Cookie = { name: string; value: string; domain?: string; path?: string; secure?: boolean };

/** Returns headers as lines `Name: value`. */
export function toHeaderLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Reads lines `Name: value`. Throws AppError for a line without a colon or with a repeated name. */
export function readHeaderLines(text: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [index, line] of toLines(text).entries()) {
    const at = line.indexOf(":");
    if (at < 1) throw invalidLine("headers", index, "must have the form 'Name: value'");
    const name = line.slice(0, at).trim();
    if (headers.has(name)) throw invalidLine("headers", index, "repeats a header");
    headers.set(name, line.slice(at + 1).trim());
  }
  return Object.fromEntries(headers);
}

/** Returns cookies as lines in the form of the header `Set-Cookie`: `name=value; Domain=example.com; Path=/`. */
export function toCookieLines(cookies: readonly { [Name in keyof Cookie]?: unknown }[]): string {
  return cookies
    .map(({ name, value, domain, path, secure }) =>
      [
        `${name}=${value}`,
        domain === undefined ? null : `Domain=${domain}`,
        path === undefined ? null : `Path=${path}`,
        secure === undefined ? null : secure ? "Secure" : "Secure=false",
      ]
        .filter((part) => part !== null)
        .join("; "),
    )
    .join("\n");
}

/** Reads lines in the form of `Set-Cookie`. Throws AppError for one without a name or with other attributes. */
export function readCookieLines(text: string): Cookie[] {
  return toLines(text).map((line, index) => {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    if (at < 1) throw invalidLine("cookies", index, "must have the form 'name=value'");
    const cookie: Cookie = { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() };
    for (const attribute of attributes) {
      const [key = "", ...rest] = attribute.split("=");
      const value = rest.join("=").trim();
      const name = key.trim().toLowerCase();
      if (name === "domain") cookie.domain = value;
      else if (name === "path") cookie.path = value;
      else if (name === "secure") cookie.secure = value !== "false";
      else if (name !== "") throw invalidLine("cookies", index, "can only have the attributes Domain, Path and Secure");
    }
    return cookie;
  });
}

/** Reads `user:password`. The password may contain colons. */
export function readCredentials(text: string): { username: string; password: string } {
  const [username = "", ...password] = text.split(":");
  return { username, password: password.join(":") };
}

/** Returns the lines that aren't empty, without the white space around them. */
export function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The message identifies the line by its number, because the line contains a secret. */
function invalidLine(path: string, index: number, rule: string): AppError {
  const message = `has an error in line ${index + 1}: it ${rule}`;
  return new AppError("invalid_request", `The parameter '${path}' ${message}.`, { details: [{ path, message }] });
}
