import { describe, expect, it } from "vitest";
import {
  findCanonicalCidr,
  findCidrProblem,
  isAllowedAddress,
  isRangeSubset,
  toCallerNetwork,
} from "../../src/lib/ip-ranges";

describe("an allow-list", () => {
  it.each([
    ["203.0.113.7/24", "203.0.113.0/24"],
    ["203.0.113.7", "203.0.113.7/32"],
    ["2001:DB8:0::1/32", "2001:db8::/32"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
  ])("normalizes %s to %s", (entry, canonical) => {
    expect(findCidrProblem(entry)).toBeNull();
    expect(findCanonicalCidr(entry)).toBe(canonical);
  });

  it.each([
    "300.1.1.1/8",
    "x",
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "010.0.0.0/8",
    "0x0a.0.0.0/8",
    "2001:db8::/129",
    "1.2.3.4/",
    "/8",
    "1.2.3.4/8/8",
    "1.2.3.4 /8",
    "10.010.0.0/16",
    "::ffff:203.0.113.0/95",
  ])("rejects %j", (entry) => expect(findCidrProblem(entry)).toContain("CIDR"));

  it("isn't normalized if it is invalid", () => {
    expect(findCanonicalCidr("x")).toBeNull();
  });

  it.each(["2a06:98c0:3600::103", "2a06:98c0:3600::/48", "::/0"])(
    "rejects %s, which contains the address that all Cloudflare Workers share",
    (entry) => {
      expect(findCidrProblem(entry)).toContain("all Cloudflare Workers share");
    },
  );

  it.each([
    ["203.0.113.9", ["203.0.113.0/24"], true],
    ["203.0.114.9", ["203.0.113.0/24"], false],
    ["::ffff:203.0.113.9", ["203.0.113.0/24"], true],
    ["2001:db8:1::5", ["203.0.113.0/24", "2001:db8::/32"], true],
    ["2001:db9::5", ["2001:db8::/32"], false],
    [null, ["0.0.0.0/0"], false],
    ["nonsense", ["0.0.0.0/0"], false],
    ["nonsense", [], true],
  ])("for %s and the list %j, isAllowedAddress returns %s", (address, list, allowed) => {
    expect(isAllowedAddress(address, list)).toBe(allowed);
  });

  it.each([
    [["10.1.0.0/16"], ["10.0.0.0/8"], true],
    [["10.0.0.0/8"], ["10.1.0.0/16"], false],
    [["10.0.0.0/8"], ["10.0.0.0/8"], true],
    [["10.0.0.0/8"], ["10.0.0.0/16"], false],
    [["nonsense"], ["0.0.0.0/0"], false],
    [["10.1.0.0/16", "11.1.0.0/16"], ["10.0.0.0/8", "11.0.0.0/8"], true],
    [[], ["10.0.0.0/8"], false],
    [["10.0.0.0/8"], [], true],
    [["2001:db8::/32"], ["0.0.0.0/0"], false],
    [["10.1.0.0/16", "11.0.0.0/8"], ["10.0.0.0/8"], false],
  ])("for %j and %j, isRangeSubset returns %s", (inner, outer, within) => {
    expect(isRangeSubset(inner, outer)).toBe(within);
  });
});

describe("a caller's network", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["nonsense", "unknown"],
    [null, "unknown"],
  ])("of %s is %s", (address, network) => {
    expect(toCallerNetwork(address)).toBe(network);
  });
});
