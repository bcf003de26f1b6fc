import { expect, it } from "vitest";
import { Deadline } from "../../src/lib/deadline";
import { Turns } from "../../src/lib/turns";
import { MINUTE_MS } from "../../src/model/limits";

const patient = () => new AbortController().signal;

it("one has the turn at a time, whatever the order in which they end", async () => {
  const turns = new Turns(MINUTE_MS);
  let inside = 0;
  const most: number[] = [];
  const work = async () => {
    const end = await turns.take(patient());
    most.push(++inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
    end();
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(most).toEqual(Array.from({ length: 8 }, () => 1));
});

it("who stops waiting leaves the others their turn", async () => {
  const turns = new Turns(MINUTE_MS);
  const end = await turns.take(patient());
  const impatient = new AbortController();
  const left = turns.take(impatient.signal);
  const next = turns.take(patient());
  impatient.abort(new Error("enough"));
  await expect(left).rejects.toThrow("enough");
  end();
  await expect(next).resolves.toBeTypeOf("function");
});

it("a turn that nobody gives back is over by itself, and its late end ends no other's", async () => {
  const turns = new Turns(20);
  const forgotten = await turns.take(patient());
  await turns.take(patient());
  forgotten();
  const impatient = new AbortController();
  const third = turns.take(impatient.signal);
  impatient.abort(new Error("still taken"));
  await expect(third).rejects.toThrow("still taken");
});

it("a deadline stands still while somebody waits for us", async () => {
  const deadline = new Deadline(200);
  await deadline.without(new Promise((resolve) => setTimeout(resolve, 400)));
  expect(deadline.signal.aborted).toBe(false);
  await new Promise((resolve) => deadline.signal.addEventListener("abort", resolve));
});
