import { describe, expect, it } from "vitest";
import { chooseProxy, parseProxies } from "../../src/net/proxy-config";

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;
const only = (template: string, country = "DE", session = "s1") =>
  chooseProxy(parseProxies(JSON.stringify({ "*": template })), country, session);

describe("chooseProxy", () => {
  const proxies = parseProxies(
    '{"de": "http://one.example:8080", "TR": "https://two.example", "*": "http://any.example"}',
  );

  it.each([
    ["DE", { secure: false, hostname: "one.example", port: 8080, authorization: null }],
    ["de", { secure: false, hostname: "one.example", port: 8080, authorization: null }],
    ["tr", { secure: true, hostname: "two.example", port: 443, authorization: null }],
    ["US", { secure: false, hostname: "any.example", port: 80, authorization: null }],
  ])("returns the proxy for %s, or the proxy for any country", (country, address) => {
    expect(chooseProxy(proxies, country, "s1")).toEqual(address);
  });

  it.each([undefined, "", " ", "{}", '{"TR": "http://two.example"}'])(
    "returns null if no proxy matches: %j",
    (json) => {
      expect(chooseProxy(parseProxies(json), "DE", "s1")).toBeNull();
    },
  );

  it("fills in the country (in lower case) and the session", () => {
    expect(only("http://u-{country}-{session}:p{session}@{country}.{session}.example:1", "DE", "a1")).toEqual({
      secure: false,
      hostname: "de.a1.example",
      port: 1,
      authorization: basic("u-de-a1:pa1"),
    });
  });

  it.each([
    ["http://user:pass@proxy.example", "user:pass"],
    ["http://user@proxy.example", "user:"],
    ["http://:pass@proxy.example", ":pass"],
    ["http://us%40er:p%3Aa%2Fs%25s@proxy.example", "us@er:p:a/s%s"],
    ["http://ü:ß@proxy.example", "ü:ß"],
    ["http://u:a+b=c;d@proxy.example", "u:a+b=c;d"],
  ])("reads the credentials of %s", (template, credentials) => {
    expect(only(template)?.authorization).toBe(basic(credentials));
  });

  it("encodes the session, so that it can't change the host", () => {
    const address = only("http://u-{session}:p@proxy.example:8080", "DE", "x@evil.example/");
    expect(address).toMatchObject({
      hostname: "proxy.example",
      port: 8080,
      authorization: basic("u-x@evil.example/:p"),
    });
  });
});

describe("parseProxies", () => {
  it.each([
    ["one", '{"one": "http://u:pw@p.example"}'],
    ["", '{"": "http://u:pw@p.example"}'],
    ["**", '{"**": "http://u:pw@p.example"}'],
    ["DEU", '{"DEU": "http://u:pw@p.example"}'],
  ])("names the invalid key %j", (key, json) => {
    expect(() => parseProxies(json)).toThrow(`PROXIES: "${key}" is not a valid key.`);
  });

  it.each([
    "p.example:8080",
    "socks5://u:pw@p.example",
    "http://",
    "http:u:pw@p.example",
    "http://u:pw@p.example:99999",
    "http://u:pw@p.example:0",
    "http://u:pw@p.example/path",
    "http://u:pw@p.example/?q",
    "http://u:p%w@p.example",
    "http://u%3Au:pw@p.example",
    "http://{city}:pw@p.example",
    "http://u:pw@{}.p.example",
    5,
    null,
    ["http://u:pw@p.example"],
  ])("names the entry with the URL %j, but not the URL", (value) => {
    const json = JSON.stringify({ DE: "http://u:pw@good.example", FR: value });
    let message = "";
    try {
      parseProxies(json);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('PROXIES: the entry "FR" is not a valid proxy URL.');
    expect(message).not.toContain("pw@");
    expect(message).not.toContain("p.example");
  });

  it.each(["{", "http://u:pw@p.example", "[]", "null", '"x"', "5"])("rejects %j without quoting it", (json) => {
    expect(() => parseProxies(json)).toThrow(/^PROXIES (is not valid JSON\.|must be a JSON object, like )/);
    expect(() => parseProxies(json)).not.toThrow(/pw@p\.example/);
  });
});
