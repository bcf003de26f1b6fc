import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toUserKey } from "../../src/dashboard/auth/sign-in-limiter";
import { randomAddress } from "../support/client";
import { type SignedUp, signUp, Visitor } from "../support/visitor";

const SESSION = "__Secure-extraction.session_token";
const KNOWN_BROWSER = "__Secure-extraction.known";
/** The maximum number of sign-in attempts per minute for one user from all unknown browsers and networks together. */
const STRANGERS_MAY = 30;

async function signIn({ email, password }: Pick<SignedUp, "email" | "password">, visitor = new Visitor()) {
  const response = await visitor.post("/dashboard/sign-in", { email, password });
  return { visitor, response, text: await response.text() };
}

/** Guesses a user's password from a different IP address each time. Returns the statuses. */
async function attack(email: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const name = i % 2 === 0 ? email : email.toUpperCase();
    statuses.push((await signIn({ email: name, password: `a guess, number ${i}` })).response.status);
  }
  return statuses;
}

/**
 * Counts attempts as if other callers had guessed the user's password. Real guesses would be slow: checking one takes
 * 0.1 s.
 */
async function countAttempts(email: string, count: number): Promise<void> {
  const limiter = env.RATE_LIMITER.getByName(`sign-in:${toUserKey(email)}`);
  for (let i = 0; i < count; i++) await limiter.consume(STRANGERS_MAY);
}

/** Returns the number of attempts that the database has for the /64 of an IPv6 address. Other tests count there too. */
async function countInDatabase(address: string): Promise<number | null> {
  const network = address.slice(0, address.indexOf("::")).split(":");
  const key = `${network.map((part) => part.padStart(4, "0")).join(":")}:%`;
  const sql = "SELECT MAX(count) AS n FROM sign_in_attempts WHERE key LIKE ?1";
  return await env.DB.prepare(sql).bind(key).first<number>("n");
}

describe("password guesses", () => {
  it("are refused from the eleventh attempt of an IP address within five minutes, with the time to wait", async () => {
    const { email, password } = await signUp();
    const guesser = new Visitor();
    const target = `${crypto.randomUUID()}@example.com`;
    for (let i = 0; i < 9; i++) expect((await signIn({ email: target, password }, guesser)).response.status).toBe(401);
    // Addresses in the same /64 count as one caller. The forwarding headers below don't change the caller's address.
    guesser.address = guesser.address.replace(/1$/, "beef");
    expect((await signIn({ email: `x${target}`, password }, guesser)).response.status).toBe(401);
    const forged = { "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9", forwarded: "for=203.0.113.9" };
    const refused = await guesser.post("/dashboard/sign-in", { email, password }, forged);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(200);
    expect(await refused.text()).toMatch(/There were too many attempts. Try again in 5 minutes./);
    expect(guesser.cookies.has(SESSION)).toBe(false);
    // The count is stored in the database, so it is the same for every isolate.
    expect(await countInDatabase(guesser.address)).toBe(10);
    expect((await signIn({ email, password })).response.status).toBe(303);
  });

  it("from many IP addresses are limited for each user, whether or not the user exists", async () => {
    const { email, password } = await signUp();
    expect(await attack(email, STRANGERS_MAY + 2)).toEqual([...Array(STRANGERS_MAY).fill(401), 429, 429]);
    const unknown = `${crypto.randomUUID()}@example.com`;
    await countAttempts(unknown, STRANGERS_MAY - 2);
    expect(await attack(unknown, 4)).toEqual([401, 401, 429, 429]);
    // The right password is also rejected. Otherwise, the guesses would succeed eventually.
    const refused = await signIn({ email, password });
    expect(refused.response.status).toBe(429);
    const wait = Number(refused.response.headers.get("retry-after"));
    expect([wait > 0, wait <= 60]).toEqual([true, true]);
    expect(refused.text).toContain(`Try again in ${wait} seconds.`);
    const other = await signUp();
    expect((await signIn(other)).response.status).toBe(303);
  });

  it("are counted by user instead of IP address if CALLER_ADDRESS is set", async () => {
    const fixed = { CALLER_ADDRESS: "198.51.100.77" };
    const unknownUser = () => ({ email: `${crypto.randomUUID()}@example.com`, password: "whatever it is" });
    for (let i = 0; i < 12; i++) expect((await signIn(unknownUser(), new Visitor(fixed))).response.status).toBe(401);
    const one = unknownUser();
    await countAttempts(one.email, STRANGERS_MAY - 1);
    for (const status of [401, 429]) expect((await signIn(one, new Visitor(fixed))).response.status).toBe(status);
  });

  it("by signing up with the same address are refused from the eleventh attempt", async () => {
    const visitor = new Visitor();
    const signUpFields = { email: "nobody@example.com", password: "short" };
    for (let i = 0; i < 10; i++) expect((await visitor.post("/dashboard/sign-up", signUpFields)).status).toBe(400);
    expect((await visitor.post("/dashboard/sign-up", signUpFields)).status).toBe(429);
  });
});

describe("an attacker with other IP addresses can't lock out the user", () => {
  it("in a new browser with an IP address from which the user has signed in before", async () => {
    const owner = await signUp();
    await countAttempts(owner.email, STRANGERS_MAY);
    expect(await attack(owner.email, 1)).toEqual([429]);
    const browser = new Visitor();
    // Uses another IP address of the same network.
    browser.address = owner.visitor.address.replace(/1$/, "7");
    expect((await signIn(owner, browser)).response.status).toBe(303);
    expect(await browser.isSignedIn()).toBe(true);
  });

  it("in a browser in which the user has signed in before, with a new IP address", async () => {
    const { visitor, email, password } = await signUp();
    await visitor.post("/dashboard/sign-out");
    visitor.address = randomAddress();
    await countAttempts(email, STRANGERS_MAY);
    expect(await attack(email, 1)).toEqual([429]);
    expect((await signIn({ email: email.toUpperCase(), password }, visitor)).response.status).toBe(303);
    expect(await visitor.isSignedIn()).toBe(true);
  });
});

describe("a known browser", () => {
  it("has ten failed attempts per minute from all its IP addresses, and doesn't reduce those of other browsers", async () => {
    const owner = await signUp();
    const other = await signIn(owner);
    const otherUser = new Visitor();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      otherUser.cookies.set(KNOWN_BROWSER, owner.visitor.cookies.get(KNOWN_BROWSER) ?? "");
      otherUser.address = randomAddress();
      statuses.push(
        (await signIn({ email: owner.email, password: `a guess, number ${i}` }, otherUser)).response.status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await signIn(owner, other.visitor)).response.status).toBe(303);
  });

  it("is recognized only by a signed cookie of the same user", async () => {
    const owner = await signUp();
    const attacker = await signUp();
    await countAttempts(owner.email, STRANGERS_MAY);
    const stolen = attacker.visitor.cookies.get(KNOWN_BROWSER) ?? "";
    const [id = "", signature = ""] = stolen.split(".");
    expect([id.length, signature.length]).toEqual([32, 64]);
    for (const value of [stolen, `${"0".repeat(32)}.${signature}`, `${id}.${"0".repeat(64)}`, id, `${id}.`, "."]) {
      const visitor = new Visitor();
      visitor.cookies.set(KNOWN_BROWSER, value);
      expect([value, (await signIn(owner, visitor)).response.status]).toEqual([value, 429]);
    }
  });

  it("has a cookie that is HttpOnly, SameSite and doesn't contain the user", async () => {
    const owner = await signUp();
    const { response } = await signIn(owner);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${KNOWN_BROWSER}=`)) ?? "";
    const attributes = cookie.split("; ").slice(1);
    expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/dashboard"]));
    expect(cookie).not.toContain(owner.email);
    expect(cookie).not.toMatch(/domain=/i);
  });
});
