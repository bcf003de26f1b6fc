import { describe, expect, it } from "vitest";
import overview from "../../docs/api/README.md?raw";
import { app } from "../../src/app";

/** The text of each page of the API guide, by its path. */
const PAGES = import.meta.glob<string>("../../docs/api/*.md", { query: "?raw", import: "default", eager: true });

/** Every operation under /v1, such as `GET /v1/jobs/{id}`. */
const OPERATIONS = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/v1/"))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`),
  ),
].sort();

/** Returns the operation that a curl example calls, without the query string. Other examples call compatible routes. */
function toOperation(command: string): string {
  const method = /-X (\w+)/.exec(command)?.[1] ?? (/\s-[dF]\s/.test(command) ? "POST" : "GET");
  const path = /\$BASE(\/v1\/[^"?\s]+)/.exec(command)?.[1] ?? "";
  return `${method} ${path.replace(/\$\w+/g, "{id}").replace(/^(\/v1\/schemas\/)\w+$/, "$1{name}")}`;
}

describe("the API guide", () => {
  it("lists every operation of the API and no other", () => {
    const listed = [...overview.matchAll(/^\| `([A-Z]+ \/v1\/\S+)` \|/gm)].map(([, operation]) => operation);
    expect(listed.sort()).toEqual(OPERATIONS);
  });

  it("has an example in curl for every operation", () => {
    const guide = Object.values(PAGES).join("\n");
    const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, command = ""]) =>
      command.includes("$BASE/v1/") ? [toOperation(command)] : [],
    );
    expect([...new Set(commands)].sort()).toEqual(OPERATIONS);
  });
});
