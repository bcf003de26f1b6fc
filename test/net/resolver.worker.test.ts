import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DenyList } from "../../src/net/deny-list";
import { parseEgressPolicy } from "../../src/net/egress";
import { Resolver } from "../../src/net/resolver";
import { createClient, page, querySite, read, site } from "../support/client";
import { endJob, expectAttempts } from "../support/webhooks";

const policy = parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, []);
const refusalOf = (url: string) => new Resolver(env.DNS_RESOLVER).findRefusal(url, policy);

describe("a host name", () => {
  it.each([
    ["private", "10.1.2.3 is a private address."],
    ["loopback", "127.0.0.1 is a loopback address."],
    ["mixed", "192.168.1.1 is a private address."],
    ["six", "::ffff:127.0.0.1 is an IPv4 address wrapped in IPv6."],
    ["metadata", "fd00:ec2::254 is a private address."],
  ])("is refused if any of its addresses isn't public: %s", async (name, reason) => {
    expect(await refusalOf(`http://${name}.world.example/`)).toBe(
      `${name}.world.example resolves to a forbidden address: ${reason}`,
    );
  });

  it("is allowed if all of its addresses are public, or if it is exempt", async () => {
    expect(await refusalOf("https://public.world.example./x")).toBeNull();
    expect(await refusalOf(site)).toBeNull();
    expect(await refusalOf("http://93.184.216.34/")).toBeNull();
  });

  it("is refused if a deny list has its address, even if it is exempt", async () => {
    const refusalWith = (network: string) =>
      new Resolver(env.DNS_RESOLVER).findRefusal(
        "http://private.world.example/",
        parseEgressPolicy("private.world.example:80", [], {
          lists: [new DenyList([network])],
          contact: null,
        }),
      );
    expect(await refusalWith("10.1.0.0/16")).toBe(
      "private.world.example is on the deny list of this service's operator.",
    );
    expect(await refusalWith("10.2.0.0/16")).toBeNull();
  });

  it("is dns_failure if it doesn't exist, or if the resolver fails", async () => {
    await expect(refusalOf("http://unknown.world.example/")).rejects.toMatchObject({ code: "dns_failure" });
    for (const behavior of ["reset", "article"]) {
      const down = new Resolver(page(behavior)).findRefusal("http://public.two.example/", policy);
      await expect(down).rejects.toMatchObject({ code: "dns_failure" });
    }
  });

  it("isn't resolved if no resolver is configured", async () => {
    expect(await new Resolver("").findRefusal("http://private.world.example/", policy)).toBeNull();
  });
});

describe("a host name without a configured resolver", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each(["", "private.world.example:80"])(
    "is refused if a deny list has its address, exempt: '%s'",
    async (exempt) => {
      const original = fetch;
      vi.stubGlobal("fetch", (input: string | URL, init?: RequestInit) => {
        const { hostname, search } = new URL(input);
        return original(hostname === "cloudflare-dns.com" ? `${env.DNS_RESOLVER}${search}` : input, init);
      });
      const denied = { lists: [new DenyList(["10.1.0.0/16"])], contact: null };
      const refusal = new Resolver("").findRefusal(
        "http://private.world.example/",
        parseEgressPolicy(exempt, [], denied),
      );
      expect(await refusal).toBe("private.world.example is on the deny list of this service's operator.");
    },
  );
});

describe("the cache of addresses", () => {
  afterEach(() => vi.useRealTimers());

  it("keeps a name's addresses for ten seconds, and then queries the resolver again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const endpoint = page("dns");
    const resolver = new Resolver(endpoint);
    const resolve = () => resolver.findRefusal("http://public.world.example/", policy);
    // Each lookup sends one query for IPv4 addresses and one for IPv6 addresses.
    const countLookups = async () => (await querySite<number>("hits", endpoint)) / 2;
    await resolve();
    vi.setSystemTime(Date.now() + 9_999);
    await resolve();
    expect(await countLookups()).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    await resolve();
    expect(await countLookups()).toBe(2);
  });

  it("shares a lookup among simultaneous requests", async () => {
    const endpoint = page("dns");
    const resolver = new Resolver(endpoint);
    await Promise.all([1, 2, 3].map(() => resolver.findRefusal("http://public.world.example/", policy)));
    expect(await querySite("hits", endpoint)).toBe(2);
  });
});

describe("every outbound request resolves the host name", () => {
  const target = "http://private.world.example/";

  it.each([
    ["a plain fetch", () => ({ url: target })],
    ["a redirect", () => ({ url: `${page("redirect")}?to=${target}` })],
    ["a render", () => ({ url: target, js_render: true })],
    ["a redirect in the browser", () => ({ url: `${page("redirect")}?to=${target}`, js_render: true })],
  ])("%s", async (_, toBody) => {
    const { scrape } = await createClient();
    const answer = await scrape(toBody());
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      422,
      { code: "invalid_target", message: expect.stringContaining("10.1.2.3 is a private address") },
    ]);
  });

  it("a webhook", async () => {
    const id = await endJob("https://loopback.world.example/hook");
    const { attempts } = await expectAttempts(id, 1);
    expect(attempts[0]?.error).toBe(
      "Not sent: loopback.world.example resolves to a forbidden address: 127.0.0.1 is a loopback address.",
    );
  });
});

describe("the address for a connection over a socket", () => {
  const resolver = () => new Resolver(env.DNS_RESOLVER);

  it("is a checked address of the name", async () => {
    expect(await resolver().findAddress(new URL("https://public.world.example/"), policy)).toBe("93.184.216.34");
  });

  it("is an address of the checked lookup, even if the cached addresses expire in between", async () => {
    const endpoint = page("dns");
    let time = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (time += 20_000));
    try {
      await new Resolver(endpoint).findAddress(new URL("https://public.world.example/"), policy);
    } finally {
      clock.mockRestore();
    }
    // One query for IPv4 addresses and one for IPv6 addresses.
    expect(await querySite("hits", endpoint)).toBe(2);
  });

  it.each([`${site}/`, "http://93.184.216.34/", "http://[2606:4700::1111]/"])(
    "is the URL's own host for %s",
    async (url) => {
      expect(await resolver().findAddress(new URL(url), policy)).toBeNull();
    },
  );

  it.each([
    ["http://mixed.world.example/", "invalid_target"],
    ["http://10.0.0.1/", "invalid_target"],
    ["http://unknown.world.example/", "dns_failure"],
  ])("isn't found for %s: %s", async (url, code) => {
    await expect(resolver().findAddress(new URL(url), policy)).rejects.toMatchObject({ code });
  });
});
