interface ApiCommand {
  url: string;
  /** The API key. It can be a variable of the shell. */
  key: string;
  /** A text is a body in JSON. */
  body?: object | string | undefined;
  /** The name of a file. The request is then a form, and its field `options` has the body. */
  file?: string | undefined;
  /** By default, curl sends GET without a body, and POST with a body. */
  method?: string | undefined;
}

/** Returns a curl command that calls the API. */
export function toApiCommand({ url, key, body, method, file }: ApiCommand): string {
  const verb = method === undefined ? "" : `-X ${method} `;
  const parts = [`curl ${verb}${quoteForShell(url)}`, `-H "Authorization: Bearer ${key}"`];
  const json = typeof body === "object" ? JSON.stringify(body, null, 2) : body;
  if (file !== undefined)
    parts.push(
      `-F ${quoteForShell(`file=@"${file.replace(/["\\]/g, "\\$&")}"`)}`,
      `--form-string ${quoteForShell(`options=${json}`)}`,
    );
  else if (json !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(json)}`);
  return parts.join(" \\\n  ");
}

/** Quotes text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
