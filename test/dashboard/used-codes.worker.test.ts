import { describe, expect, it } from "vitest";
import { findStep } from "../../src/dashboard/auth/used-codes";

// The test vectors of RFC 6238, appendix B, shortened to 6 digits.
const SECRET = "12345678901234567890";
const VECTORS = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [20_000_000_000, "353130"],
] as const;

describe("findStep", () => {
  it.each(VECTORS)("finds the time step of the code at %i seconds", async (seconds, code) => {
    const step = Math.floor(seconds / 30);
    for (const late of [-30, 0, 30]) expect(await findStep(SECRET, code, (seconds + late) * 1_000)).toBe(step);
    for (const late of [-60, 60]) expect(await findStep(SECRET, code, (seconds + late) * 1_000)).toBeNull();
  });
});
