import { describe, expect, it } from "vitest";
import { newJob, stubOf } from "../support/account";
import { refOf } from "../support/client";
import { accountIdOf, signUp } from "../support/visitor";

describe("the refresh request of a page", () => {
  it("gets an immediate response without a version, otherwise a response after a change", async () => {
    const user = await signUp();
    const accountId = await accountIdOf(user);
    const read = (version: string | null) =>
      user.visitor.get("/dashboard/jobs", {
        "x-requested-with": "fetch",
        ...(version === null ? {} : { "x-live-version": version }),
      });
    const version = (await read(null)).headers.get("x-live-version");
    expect(version).not.toBeNull();
    const held = read(version);
    const account = await refOf(accountId);
    const object = stubOf(account);
    expect(await Promise.race([held, object.watch(version, 300)])).toEqual({ kind: "version", version });
    await object.createJob(newJob(account, { subject: "https://held.example/" }));
    const response = await held;
    expect(response.headers.get("x-live-version")).not.toBe(version);
    expect(await response.text()).toContain("held.example");
  });
});
