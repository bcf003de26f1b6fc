import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { browserHost, keyVerifier, rateLimiter } from "../../src/store/namespaces";

/** A namespace that records the jurisdiction and the name of each object. */
function recorder(objects: string[], jurisdiction = "none") {
  return {
    jurisdiction: (name: string) => recorder(objects, name),
    getByName: (name: string) => void objects.push(`${jurisdiction}: ${name}`),
  };
}

function open(JURISDICTION: string, VERSION?: { id: string }): string[] {
  const objects: string[] = [];
  const [KEY_VERIFIER, RATE_LIMITER, BROWSER_HOST] = [recorder(objects), recorder(objects), recorder(objects)];
  const bindings = { ...env, JURISDICTION, VERSION, KEY_VERIFIER, RATE_LIMITER, BROWSER_HOST } as unknown as Env;
  keyVerifier(bindings, "hash");
  rateLimiter(bindings, "203.0.113.1");
  browserHost(bindings, "browser-1");
  return objects;
}

it("keeps all objects in JURISDICTION", () => {
  expect(open("")).toEqual(["none: hash", "none: 203.0.113.1", "none: browser-1"]);
  expect(open(" eu ")).toEqual(["eu: hash", "eu: 203.0.113.1", "eu: browser-1"]);
});

it("has browsers for each version of the service, so that a deployment interrupts no render", () => {
  expect(open("", { id: "1a2b" })).toEqual(["none: hash", "none: 203.0.113.1", "none: browser-1@1a2b"]);
});

it("refuses an unknown jurisdiction, because data must stay in its region", () => {
  expect(() => open("EU")).toThrow('JURISDICTION is "EU". It must be "eu", "us", "fedramp" or empty.');
});
