import { quoteForShell } from "../../webhooks/curl.ts";

/**
 * Returns a curl command that calls the API. The key can be a variable of the shell. A text is a body in JSON. Without a
 * body, the command sends GET.
 */
export function toApiCommand(url: string, key: string, body?: object | string): string {
  const parts = [`curl ${quoteForShell(url)}`, `-H "Authorization: Bearer ${key}"`];
  const json = typeof body === "object" ? JSON.stringify(body, null, 2) : body;
  if (json !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(json)}`);
  return parts.join(" \\\n  ");
}
