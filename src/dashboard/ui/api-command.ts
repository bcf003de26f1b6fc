interface ApiCommand {
  url: string;
  /** The API key. It can be a variable of the shell. */
  key: string;
  /** A text is a body in JSON. */
  body?: object | string | undefined;
  /** By default, curl sends GET without a body, and POST with a body. */
  method?: string | undefined;
}

/** Returns a curl command that calls the API. */
export function toApiCommand({ url, key, body, method }: ApiCommand): string {
  const verb = method === undefined ? "" : `-X ${method} `;
  const parts = [`curl ${verb}${quoteForShell(url)}`, `-H "Authorization: Bearer ${key}"`];
  const json = typeof body === "object" ? JSON.stringify(body, null, 2) : body;
  if (json !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(json)}`);
  return parts.join(" \\\n  ");
}

/** Quotes text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
