import { expect, it } from "vitest";
import { Budget } from "../../src/lib/budget";

it("allows amounts up to the limit, but none after the limit was exceeded", () => {
  const budget = new Budget(10);
  expect([budget.spend(4), budget.spend(6)]).toEqual([true, true]);
  expect([budget.spend(1), budget.spend(0)]).toEqual([false, false]);
});

it("allows an amount of 0 with a limit of 0", () => {
  const budget = new Budget(0);
  expect([budget.spend(0), budget.spend(1)]).toEqual([true, false]);
});
