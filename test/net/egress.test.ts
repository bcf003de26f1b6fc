import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/model/errors";
import { checkTarget, findAddressRefusal, findRefusal, isExempt, parseEgressPolicy } from "../../src/net/egress";
import { forAll } from "../support/for-all";
import {
  dotted,
  isSpecial,
  publicWord,
  SPECIAL_RANGES,
  specialWord,
  spellingsOf,
  spellingsOfSix,
  WRAPPED,
  word,
  wrappers,
} from "./egress/spellings";

const NONE = parseEgressPolicy(undefined, []);
const RUNS = { numRuns: 500 };

describe("findRefusal", () => {
  forAll([
    "http://example.com/",
    "https://EXAMPLE.com.:443/a?b#c",
    "http://example.com:8080/",
    "https://shop.example/",
    "https://localhost.example.com/",
    "https://test.com/",
    "https://internal.example.org/",
    "https://a_b.example.com/",
    "https://münchen.de/",
    "https://пример.рф/",
    "http://8.8.8.8/",
    "http://9.255.255.255/",
    "http://11.0.0.0/",
    "http://100.63.255.255/",
    "http://100.128.0.0/",
    "http://126.255.255.255/",
    "http://128.0.0.0/",
    "http://172.15.255.255/",
    "http://172.32.0.0/",
    "http://192.167.255.255/",
    "http://192.169.0.0/",
    "http://198.17.255.255/",
    "http://198.20.0.0/",
    "http://223.255.255.255/",
    "http://[2606:4700:4700::1111]/",
    "http://[2001:4860:4860::8888]:8080/",
    "http://[2A00:1450:4001:81b::200e]/",
    // This name resolves to a private address. `findRefusal` accepts the URL, because only `findAddressRefusal` checks
    // resolved addresses.
    "http://127.0.0.1.nip.io/",
  ])("allows %s", (url) => {
    expect(findRefusal(url, NONE)).toBeNull();
  });

  forAll([
    ["http://127.0.0.1/", "127.0.0.1 is a loopback address."],
    ["http://127.0.0.1./", "127.0.0.1 is a loopback address."],
    ["http://2130706433/", "127.0.0.1 is a loopback address."],
    ["http://017700000001/", "127.0.0.1 is a loopback address."],
    ["http://0x7f.1/", "127.0.0.1 is a loopback address."],
    ["http://127.1/", "127.0.0.1 is a loopback address."],
    ["http://%31%32%37.0.0.1/", "127.0.0.1 is a loopback address."],
    ["http://①②⑦.０.0。1/", "127.0.0.1 is a loopback address."],
    ["http:\\\\127.0.0.1\\", "127.0.0.1 is a loopback address."],
    ["  http:/127.0.0.1", "127.0.0.1 is a loopback address."],
    ["ht\ntp://127.0.\t0.1/", "127.0.0.1 is a loopback address."],
    ["http://example.com@@127.0.0.1/", "The URL must not contain a user name or password."],
    ["http://0/", "0.0.0.0 is an unspecified address."],
    ["http://0x/", "0.0.0.0 is an unspecified address."],
    ["http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address."],
    ["http://168.63.129.16/", "168.63.129.16 is a reserved address."],
    ["http://100.100.100.200/", "100.100.100.200 is a private address."],
    ["http://192.168.0.1/", "192.168.0.1 is a private address."],
    ["http://198.18.0.1/", "198.18.0.1 is a reserved address."],
    ["http://203.0.113.7/", "203.0.113.7 is a reserved address."],
    ["http://224.0.0.1/", "224.0.0.1 is a multicast address."],
    ["http://255.255.255.255/", "255.255.255.255 is the broadcast address."],
    ["http://[::]/", ":: is an unspecified address."],
    ["http://[::1]/", "::1 is a loopback address."],
    ["http://[0:0:0:0:0:0:0:1]/", "::1 is a loopback address."],
    ["http://[fe80::1]/", "fe80::1 is a link-local address."],
    ["http://[febf::1]/", "febf::1 is a link-local address."],
    ["http://[fec0::1]/", "fec0::1 is a private address."],
    ["http://[fd00:ec2::254]/", "fd00:ec2::254 is a private address."],
    ["http://[ff02::1]/", "ff02::1 is a multicast address."],
    ["http://[100::1]/", "100::1 is a reserved address."],
    ["http://[2001:db8::1]/", "2001:db8::1 is a reserved address."],
    ["http://[3fff::1]/", "3fff::1 is a reserved address."],
    ["http://[4000::1]/", "4000::1 is a reserved address."],
    ["http://[::ffff:8.8.8.8]/", "::ffff:808:808 is an IPv4 address wrapped in IPv6."],
    ["http://[::7f00:1]/", "::7f00:1 is an IPv4 address wrapped in IPv6."],
  ])("refuses the address in %j", (url, reason) => {
    expect(findRefusal(url, NONE)).toBe(reason);
  });

  forAll([
    ["http://localhost/", "localhost is a loopback name."],
    ["http://LOCALHOST.:3000/", "localhost is a loopback name."],
    ["http://ⓛocal%68ost/", "localhost is a loopback name."],
    ["http://loc\u00adalhost/", "localhost is a loopback name."],
    ["http://a.localhost/", "a.localhost is a loopback name."],
    ["http://printer.local/", "printer.local is a local network name."],
    ["http://local/", "local is a local network name."],
    ["http://metadata.google.internal/", "metadata.google.internal is a local network name."],
    ["http://host.docker.internal./", "host.docker.internal is a local network name."],
    ["http://localhost.localdomain/", "localhost.localdomain is a local network name."],
    ["http://wiki.intranet/", "wiki.intranet is a local network name."],
    ["http://wiki.private/", "wiki.private is a local network name."],
    ["http://wiki.corp/", "wiki.corp is a local network name."],
    ["http://nas.home/", "nas.home is a local network name."],
    ["http://nas.lan/", "nas.lan is a local network name."],
    ["http://nas.home.arpa/", "nas.home.arpa is a name of the DNS's own infrastructure."],
    ["http://1.0.0.127.in-addr.arpa/", "1.0.0.127.in-addr.arpa is a name of the DNS's own infrastructure."],
    ["http://abc.onion/", "abc.onion is a name outside the public DNS."],
    ["http://abc.alt/", "abc.alt is a name outside the public DNS."],
    ["https://blocked.test/", "blocked.test is a name reserved for tests."],
    ["https://www.invalid/", "www.invalid is a reserved name that never exists."],
    ["http://intranet-wiki/", "intranet-wiki is not a public host name: it has no dot."],
    ["http://constructor/", "constructor is not a public host name: it has no dot."],
    ["http://localhost../", "The URL's host name is not valid."],
    ["http://127.0.0.1../", "The URL's host name is not valid."],
    ["http://a..example.com/", "The URL's host name is not valid."],
    ["http://.example.com/", "The URL's host name is not valid."],
    ["http://./", "The URL's host name is not valid."],
    [`http://${"a.".repeat(130)}com/`, "The URL's host name is not valid."],
  ])("refuses the name in %j", (url, reason) => {
    expect(findRefusal(url, NONE)).toBe(reason);
  });

  forAll([
    "ftp://example.com/",
    "file:///etc/passwd",
    "ws://example.com/",
    "data:text/html,hello",
    "javascript:alert(1)",
    "blob:https://example.com/1",
    "about:blank",
    "gopher://127.0.0.1:6379/",
    "localhost:8080",
  ])("refuses the scheme of %s", (url) => {
    expect(findRefusal(url, NONE)).toBe("The URL must begin with http:// or https://.");
  });

  forAll(["http://user:pass@example.com/", "http://user@example.com/", "http://:pass@example.com/"])(
    "refuses the credentials in %s",
    (url) => {
      expect(findRefusal(url, NONE)).toBe("The URL must not contain a user name or password.");
    },
  );

  forAll([
    "",
    "example.com",
    "/path",
    "//example.com",
    "http://",
    "http:///",
    "http://[fe80::1%25eth0]/",
    "http://[::1",
    "http://::1/",
    "http://256.1.1.1/",
    "http://1.2.3.4.5/",
    "http://example.1/",
    "http://example.0x7f./",
    "http://a b.com/",
    "http://%00/",
    "http://example.com:65536/",
    "http://example.com:http/",
  ])("rejects %j as an invalid URL", (url) => {
    expect(findRefusal(url, NONE)).toMatch(/^The URL is not valid\. /);
  });

  forAll(
    (
      "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 " +
      "117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 " +
      "587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 " +
      "6668 6669 6679 6697 10080"
    )
      .split(" ")
      .map(Number),
  )("refuses port %i", (port) => {
    expect(findRefusal(`https://example.com:${port}/`, NONE)).toBe(
      `Port ${port} is not allowed, because it belongs to a protocol other than HTTP.`,
    );
  });

  it("accepts a URL object or a string", () => {
    expect(findRefusal(new URL("https://example.com/"), NONE)).toBeNull();
    expect(findRefusal(new URL("http://[::1]/"), NONE)).toBe("::1 is a loopback address.");
  });

  it("refuses every spelling of every address that isn't public", () => {
    const spelt = specialWord.chain((value) => fc.tuple(fc.constant(dotted(value)), spellingsOf(value)));
    fc.assert(
      fc.property(spelt, ([address, spelling]) => {
        expect(findRefusal(`http://${spelling}/`, NONE)).toMatch(new RegExp(`^${address} is an? |^${address} is the `));
      }),
      { numRuns: 1_000 },
    );
  });

  it("allows every spelling of every public address", () => {
    fc.assert(
      fc.property(publicWord.chain(spellingsOf), (spelling) => {
        expect(findRefusal(`https://${spelling}:8443/`, NONE)).toBeNull();
      }),
      RUNS,
    );
  });

  it("refuses an IPv4 address that is wrapped in IPv6, public or not", () => {
    fc.assert(
      fc.property(fc.oneof(specialWord, word), fc.constantFrom(...wrappers), (value, wrap) => {
        const address = wrap(value);
        expect(findAddressRefusal(address)).toMatch(WRAPPED);
        expect(findRefusal(`http://[${address}]/`, NONE)).toMatch(WRAPPED);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a spelling", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const host = fc.array(group, { minLength: 4, maxLength: 4 });
  const special: fc.Arbitrary<readonly number[]> = fc.oneof(
    fc.constantFrom([0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1], [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254]),
    host.map((rest) => [0xfe80, 0, 0, 0, ...rest]),
    host.map((rest) => [0xfc12, 0, 0, 0, ...rest]),
    host.map((rest) => [0xff02, 0, 0, 0, ...rest]),
    host.map((rest) => [0x2001, 0xdb8, 0, 0, ...rest]),
    word.map((value) => [0, 0, 0, 0, 0, 0xffff, Math.floor(value / 65_536), value % 65_536]),
    word.map((value) => [0x64, 0xff9b, 0, 0, 0, 0, Math.floor(value / 65_536), value % 65_536]),
    word.map((value) => [0x2002, Math.floor(value / 65_536), value % 65_536, 0, 0, 0, 0, 1]),
  );

  it("of a forbidden IPv6 address is always refused", () => {
    fc.assert(
      fc.property(special.chain(spellingsOfSix), (spelling) => {
        expect(findRefusal(`http://[${spelling}]/`, NONE)).toMatch(/ is an? .+\.$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("can't hide a host behind credentials, a path or a fragment", () => {
    const around = fc.constantFrom<((inner: string) => string)[]>(
      (inner) => `http://example.com@${inner}/`,
      (inner) => `http://example.com:80@${inner}/`,
      (inner) => `http://example.com%2f@${inner}/`,
      (inner) => `http://@${inner}/`,
      (inner) => `http:${inner}/@example.com`,
      (inner) => `http://${inner}#@example.com/`,
      (inner) => `http://${inner}?@example.com/`,
      (inner) => `http://${inner}\\@example.com/`,
      (inner) => `http:\\\\${inner}/example.com`,
      (inner) => `\thttp:/${inner}/example.com`,
    );
    fc.assert(
      fc.property(specialWord.chain(spellingsOf), around, (spelling, hide) => {
        expect(findRefusal(hide(spelling), NONE)).not.toBeNull();
      }),
      RUNS,
    );
  });
});

describe("our own hosts", () => {
  const policy = parseEgressPolicy("api.example.com:8443", [
    "https://API.example.com:8787",
    undefined,
    "",
    "https://bücher.example.com.",
    "http://93.184.216.34",
  ]);

  forAll([
    ["https://api.example.com/v1/scrape", "api.example.com"],
    ["http://api.example.com.:8080/", "api.example.com"],
    ["http://API.EXAMPLE.COM/", "api.example.com"],
    ["http://bücher.example.com/", "xn--bcher-kva.example.com"],
    ["http://0x5db8d822/", "93.184.216.34"],
  ])("are refused: %s", (url, host) => {
    expect(findRefusal(url, policy)).toBe(`${host} is this service's own host.`);
  });

  it("don't include parent domains and subdomains", () => {
    expect(findRefusal("https://www.api.example.com/", policy)).toBeNull();
    expect(findRefusal("https://example.com/", policy)).toBeNull();
  });

  it("are allowed on an exempt port", () => {
    expect(findRefusal("https://api.example.com:8443/", policy)).toBeNull();
  });

  it("must be valid origins", () => {
    expect(() => parseEgressPolicy(undefined, ["api.example.com"])).toThrow('"api.example.com" is not a valid origin');
    expect(() => parseEgressPolicy(undefined, ["localhost:8787"])).toThrow('"localhost:8787" is not a valid origin');
  });
});

describe("ALLOWED_PRIVATE_HOSTS", () => {
  const policy = parseEgressPolicy(" Localhost:3000, 127.1:80 ,[0::1]:8080,nas.lan.:443,example.com:25,", []);

  it("is normalized to the URL parser's spelling", () => {
    expect([...policy.allowed]).toEqual([
      "localhost:3000",
      "127.0.0.1:80",
      "[::1]:8080",
      "nas.lan:443",
      "example.com:25",
    ]);
  });

  forAll([
    "http://localhost:3000/",
    "https://LOCALHOST.:3000/a",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]:8080/",
    "https://nas.lan/",
    "http://example.com:25/",
  ])("allows %s", (url) => {
    expect(findRefusal(url, policy)).toBeNull();
    expect(isExempt(new URL(url), policy)).toBe(true);
  });

  forAll([
    "http://localhost/",
    "http://localhost:3001/",
    "http://a.localhost:3000/",
    "https://127.0.0.1/",
    "http://127.0.0.2/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::1]/",
    "http://nas.lan/",
  ])("doesn't exempt %s", (url) => {
    expect(findRefusal(url, policy)).not.toBeNull();
    expect(isExempt(new URL(url), policy)).toBe(false);
  });

  it("doesn't allow other schemes or credentials", () => {
    expect(findRefusal("ftp://localhost:3000/", policy)).toBe("The URL must begin with http:// or https://.");
    expect(findRefusal("http://a:b@localhost:3000/", policy)).toBe("The URL must not contain a user name or password.");
  });

  forAll([undefined, "", " ", " , "])("may be blank: %j", (value) => {
    expect(parseEgressPolicy(value, []).allowed.size).toBe(0);
  });

  forAll([
    "localhost",
    "localhost:",
    ":3000",
    ".:3000",
    "localhost:0",
    "localhost:65536",
    "localhost:http",
    "http://localhost:3000",
    "localhost:3000/",
    "user@localhost:3000",
    "*.lan:80",
    "localhost:80:3000",
    "::1:3000",
    "[::1]",
    "[:::1]:80",
    "a b:80",
    "1.2.3.4.5:80",
  ])("rejects the entry %j and names it", (entry) => {
    expect(() => parseEgressPolicy(`localhost:1,${entry}`, [])).toThrow(`"${entry}" is not valid. Use host:port`);
  });
});

describe("findAddressRefusal", () => {
  it("agrees with the table of special blocks for every IPv4 address", () => {
    fc.assert(
      fc.property(fc.oneof(word, specialWord), (value) => {
        expect(findAddressRefusal(dotted(value)) !== null).toBe(isSpecial(value));
      }),
      { numRuns: 1_000 },
    );
  });

  forAll(SPECIAL_RANGES)("has the exact bounds of the block $first to $last", ({ first, last }) => {
    for (const value of [first - 1, first, last, last + 1]) {
      if (value < 0 || value >= 2 ** 32) continue;
      expect(findAddressRefusal(dotted(value)) !== null).toBe(isSpecial(value));
    }
  });

  forAll([
    "::",
    "::1",
    "100::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002::1",
    "2620:4f:8000::1",
    "3fff:fff::1",
    "5f00::1",
    "64:ff9b::808:808",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "FE80::1",
    "fec0::1",
    "ff02::1",
  ])("refuses %s", (address) => {
    expect(findAddressRefusal(address)).toMatch(new RegExp(`^${address} is (?!not).+\\.$`));
  });

  it("refuses IPv6 outside of 2000::/3 and allows ordinary addresses inside it", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const rest = fc.array(group, { minLength: 7, maxLength: 7 });
    const text = (first: number, others: number[]) => [first, ...others].map((part) => part.toString(16)).join(":");
    fc.assert(
      fc.property(group, rest, (first, others) => {
        fc.pre(first >> 13 !== 1);
        expect(findAddressRefusal(text(first, others))).not.toBeNull();
      }),
      RUNS,
    );
    fc.assert(
      fc.property(fc.integer({ min: 0x2400, max: 0x2bff }), rest, (first, others) => {
        fc.pre(first !== 0x2620 && others[4] !== 0x5efe);
        expect(findAddressRefusal(text(first, others))).toBeNull();
        expect(findRefusal(`http://[${text(first, others).toUpperCase()}]/`, NONE)).toBeNull();
      }),
      RUNS,
    );
  });

  forAll(["", "example.com", "8.8.8", "134744072", "010.8.8.8", "0x8.8.8.8", "8.8.8.8.", " 8.8.8.8", "[2606:4700::1]"])(
    "refuses %j, which is not an IP address",
    (address) => {
      expect(findAddressRefusal(address)).toBe(`${address} is not an IP address.`);
    },
  );

  it("refuses an address with a zone", () => {
    expect(findAddressRefusal("2606:4700::1111%eth0")).toBe("2606:4700::1111%eth0 is not an IP address.");
    expect(findAddressRefusal("fe80::1%1")).toBe("fe80::1%1 is not an IP address.");
  });

  it("only accepts addresses that the URL parser also accepts", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(..."0123456789abcdef:.%x"), maxLength: 40 }),
      fc.ipV4Extended(),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(text, (address) => {
        if (findAddressRefusal(address) !== null) return;
        const host = address.includes(":") ? `[${address}]` : address;
        expect(findRefusal(`http://${host}/`, NONE)).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("checkTarget", () => {
  it("returns the parsed URL", () => {
    expect(checkTarget("HTTPS://Example.com/a/../b", NONE).href).toBe("https://example.com/b");
  });

  it("resolves the URL against the base and checks the result", () => {
    expect(checkTarget("../c?d", NONE, "https://example.com/a/b").href).toBe("https://example.com/c?d");
    expect(checkTarget("//example.org", NONE, new URL("https://example.com/")).href).toBe("https://example.org/");
    expect(() => checkTarget("//127.1/", NONE, "https://example.com/")).toThrow("127.0.0.1 is a loopback address.");
    expect(() => checkTarget("/a", NONE, "nonsense")).toThrow("The URL is not valid");
  });

  forAll(["nonsense", "http://127.0.0.1/", "ftp://example.com/"])("refuses %s as invalid_target", (url) => {
    const refused = expect.objectContaining({
      name: "AppError",
      code: "invalid_target",
      status: 422,
      retryable: false,
    });
    expect(() => checkTarget(url, NONE)).toThrow(refused);
  });

  it("returns a public http(s) URL or throws an AppError, for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }).map((host) => `http://${host}`),
      fc.string({ unit: fc.constantFrom(..."0127xXfF.:[]%@/\\#?。１ lo") }).map((host) => `http://${host}`),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.tuple(fc.constantFrom("http", "https", "ftp", "file"), fc.string()).map((parts) => parts.join(":")),
    );
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (url, base) => {
        try {
          const target = checkTarget(url, NONE, base);
          expect(target.protocol).toMatch(/^https?:$/);
          expect(findRefusal(target.href, NONE)).toBeNull();
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe("invalid_target");
          expect(error.message).toMatch(/\.$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
