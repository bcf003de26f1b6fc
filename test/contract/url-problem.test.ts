import { expect, it } from "vitest";
import { urlProblem } from "../../src/contract/common";

const RULE = "must be an absolute URL that begins with http:// or https://";

it.each<[string, string | null]>([
  ["https://example.com/a b", null],
  [" HTTP://example.com ", null],
  ["example.com", `${RULE}. Did you mean 'https://example.com'?`],
  ["www.example.com/a?b=c", `${RULE}. Did you mean 'https://www.example.com/a?b=c'?`],
  ["//example.com", `${RULE}. Did you mean 'https://example.com'?`],
  ["example.com:8080/a", `${RULE}. Did you mean 'https://example.com:8080/a'?`],
  ["localhost:3000", `${RULE}. Did you mean 'https://localhost:3000'?`],
  ["https:example.com", `${RULE}. Did you mean 'https://example.com'?`],
  ["http:/example.com", `${RULE}. Did you mean 'http://example.com'?`],
  ["htps://example.com", `${RULE}. Did you mean 'https://example.com'?`],
  ["ftp://example.com", `${RULE}, not ftp://`],
  ["javascript:alert(1)", RULE],
  ["example", RULE],
  ["", RULE],
  ["example.com a", RULE],
  ["user:secret@example.com", RULE],
  [`example.com/${"a".repeat(200)}`, RULE],
  ["https://exam ple.com", "must be a valid URL: its host name contains a space"],
  ["https://example.com:99999/", "must be a valid URL: its host name or port isn't valid"],
  ["https://", "must be a valid URL: it has no host name"],
])("the problem of %j is %j", (text, expected) => {
  expect(urlProblem(text, "http:// or https://")).toBe(expected);
});
