import { describe, expect, it } from "vitest";
import { signUp, Visitor } from "../support/visitor";

describe("signing up", () => {
  it("leads to an overview with the free plan's credits, once however often it is opened", async () => {
    const { visitor } = await signUp();
    const first = await visitor.read("/dashboard");
    expect(first).toContain("500");
    expect(await visitor.read("/dashboard")).toContain("500");
  });

  it("shows strangers the sign-in, and brings them back to where they wanted to go", async () => {
    const { email, password } = await signUp();
    const visitor = new Visitor();
    const refused = await visitor.get("/dashboard/jobs?status=failed");
    expect(refused.status).toBe(303);
    const location = refused.headers.get("location") ?? "";
    expect(location).toBe("/dashboard/sign-in?to=%2Fdashboard%2Fjobs%3Fstatus%3Dfailed");
    expect(await visitor.read(location)).toContain('value="/dashboard/jobs?status=failed"');
    const back = await visitor.post("/dashboard/sign-in", { email, password, to: "/dashboard/jobs?status=failed" });
    expect([back.status, back.headers.get("location")]).toEqual([303, "/dashboard/jobs?status=failed"]);
  });
});
