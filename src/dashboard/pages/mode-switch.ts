import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { MODE_COOKIE, toReturnPath } from "../auth/session";
import type { DashboardEnv } from "../ui/env";
import { readFormFields } from "../ui/form-data";

/** Switches between live and test data and redirects to the page that the user came from. */
export const modeSwitch = new Hono<DashboardEnv>();

modeSwitch.get("/mode", (c) => c.redirect("/dashboard", 303));

modeSwitch.post("/mode", async (c) => {
  const { mode } = await readFormFields(c, ["mode"]);
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, MODE_COOKIE, mode === "test" ? "test" : "live", {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "Lax",
    secure,
  });
  const referer = URL.parse(c.req.header("referer") ?? "");
  if (referer === null) return c.redirect("/dashboard", 303);
  // Removes parameters that apply only to the previous mode: the confirmation of a change, the ids of jobs, and the
  // mode itself.
  for (const name of ["done", "job", "from", "mode"]) referer.searchParams.delete(name);
  return c.redirect(toReturnPath(`${referer.pathname}${referer.search}`), 303);
});
