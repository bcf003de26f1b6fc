import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sign } from "@octokit/webhooks-methods";
import { afterAll, describe, expect, it } from "vitest";
import { VERIFY_IN_PYTHON, VERIFY_IN_TYPESCRIPT } from "../../src/dashboard/pages/webhooks/verify-samples.ts";

const folder = mkdtempSync(join(tmpdir(), "extraction-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = "whsec_of-this-test";
const body = '{"event":"job.completed","result":{"text":"Zażółć"}}';
const cases = async () => {
  const good = await sign(secret, body);
  const old = await sign("whsec_of-before", body);
  return [
    { name: "correctly signed", headers: { "x-webhook-signature": good }, expected: true },
    {
      name: "matching only X-Webhook-Signature-Previous",
      headers: { "x-webhook-signature": old, "x-webhook-signature-previous": good },
      expected: true,
    },
    { name: "signed with another secret", headers: { "x-webhook-signature": old }, expected: false },
    { name: "unsigned", headers: {}, expected: false },
    { name: "an invalid signature", headers: { "x-webhook-signature": "sha256=ééé" }, expected: false },
  ];
};

describe("the documented verification of a webhook", () => {
  it("works in TypeScript", async () => {
    const file = join(folder, "verify.ts");
    writeFileSync(file, VERIFY_IN_TYPESCRIPT);
    const { isOurs } = await import(/* @vite-ignore */ file);
    for (const { name, headers, expected } of await cases()) {
      expect([name, isOurs(Buffer.from(body), new Headers(headers as Record<string, string>), secret)]).toEqual([
        name,
        expected,
      ]);
    }
    expect(
      isOurs(Buffer.from(`${body} `), new Headers({ "x-webhook-signature": await sign(secret, body) }), secret),
    ).toBe(false);
  });

  const python = spawnSync("python3", ["--version"]).status === 0;
  it.skipIf(!python)("works in Python", async () => {
    const checks = (await cases()).map(({ headers }) => toTitleCase(headers));
    const script = `${VERIFY_IN_PYTHON}
import json, sys
given = json.load(sys.stdin)
print(json.dumps([is_ours(given["body"].encode(), headers, given["secret"]) for headers in given["checks"]]))
`;
    const { stdout, stderr } = spawnSync("python3", ["-c", script], {
      input: JSON.stringify({ body, secret, checks }),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual((await cases()).map(({ expected }) => expected));
  });
});

/** Capitalizes the header names. The Python example reads them from a plain dictionary, which is case-sensitive. */
function toTitleCase(headers: Record<string, string | undefined>): Record<string, string | undefined> {
  const spell = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]));
}
