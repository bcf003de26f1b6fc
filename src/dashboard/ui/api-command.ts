import { quoteForShell } from "../../webhooks/curl.ts";

/** Returns a curl command that calls the API. The key can be a variable of the shell. Without a body, it sends GET. */
export function toApiCommand(url: string, key: string, body?: object): string {
  const parts = [`curl ${quoteForShell(url)}`, `-H "Authorization: Bearer ${key}"`];
  if (body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body, null, 2))}`);
  return parts.join(" \\\n  ");
}
