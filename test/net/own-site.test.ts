import { expect, it } from "vitest";
import { isOwnSite } from "../../src/net/session";

it.each([
  ["https://www.example.co.uk/", "https://example.co.uk/", true],
  ["https://api.example.com:8443/", "https://www.example.com/", true],
  ["https://example.co.uk/", "https://other.co.uk/", false],
  ["https://notexample.com/", "https://example.com/", false],
  ["https://example.com.evil.example/", "https://example.com/", false],
  ["https://b.github.io/", "https://a.github.io/", false],
  ["https://example.com./", "https://example.com/", true],
  // A secret for an https URL is sent only with encryption.
  ["http://www.example.com/", "https://www.example.com/", false],
  ["ws://www.example.com/", "https://www.example.com/", false],
  ["wss://www.example.com/", "https://www.example.com/", true],
  ["https://www.example.com/", "http://www.example.com/", true],
  // For a host without a registrable domain, the site is the host with its port.
  ["http://192.0.2.1/a", "http://192.0.2.1/", true],
  ["http://192.0.2.1:8080/", "http://192.0.2.1/", false],
  ["http://192.0.2.2/", "http://192.0.2.1/", false],
  ["http://[2001:db8::1]/", "http://[2001:db8::1]/", true],
  ["http://localhost:1/", "http://localhost:2/", false],
  ["http://a.shop.localhost/", "http://b.shop.localhost/", true],
])("%s is of the site of %s: %s", (url, target, expected) => {
  expect(isOwnSite(new URL(url), new URL(target))).toBe(expected);
});
