import { describe, expect, it } from "vitest";
import { toFileName } from "../../src/dashboard/pages/batches/batch-file-name";

describe("toFileName", () => {
  it.each([
    ["https://example.com/", "00007-example.com.md"],
    ["https://example.com/docs/intro.html", "00007-example.com-docs-intro.md"],
    ["https://example.com/a%20b?page=2&q=x", "00007-example.com-a-b-page-2-q-x.md"],
    ["https://example.com/../../etc/passwd", "00007-example.com-etc-passwd.md"],
    ["https://example.com/%2e%2e%2f%2e%2e%2fx", "00007-example.com-.-.-x.md"],
    ["https://example.com/%00%0a%22%3c", "00007-example.com.md"],
    ["https://bücher.example/straße", "00007-xn--bcher-kva.example-straße.md"],
    ["https://example.com/%zz", "00007-example.com-zz.md"],
    [`https://example.com/${"long/".repeat(100)}`, /^00007-example\.com(-long)+(-l?o?n?g?)?\.md$/],
  ])("converts %s", (url, expected) => {
    const name = toFileName({ number: 7, url }, "md");
    if (typeof expected === "string") expect(name).toBe(expected);
    else expect(name).toMatch(expected);
    expect(name.length).toBeLessThan(120);
    expect(name).toMatch(/^[\p{L}\p{N}\p{M}._-]+$/u);
  });
});
