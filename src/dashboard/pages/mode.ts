import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { readForm, toReturnPath } from "../auth/form-data";
import type { DashboardEnv } from "../env";
import { MODE_COOKIE } from "../session";

/** Switches between live and test data, and goes back to where one was. */
export const modeSwitch = new Hono<DashboardEnv>();

modeSwitch.post("/mode", async (c) => {
  const { mode } = await readForm(c, ["mode"]);
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, MODE_COOKIE, mode === "test" ? "test" : "live", {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "Lax",
    secure,
  });
  const referer = URL.parse(c.req.header("referer") ?? "");
  return c.redirect(toReturnPath(referer?.pathname ?? "/dashboard"), 303);
});
