import { expect, it } from "vitest";
import { isSignOutText } from "../../src/site/sign-out";

it.each([
  "Log out",
  "⏻ Sign out",
  "Logout (Ann)",
  "Log out of your account",
  "Sign out everywhere",
  "Cerrar sesión",
  "Wyloguj się",
  "Đăng xuất",
  "Αποσύνδεση",
  "ログアウトする",
  "登出系統",
])("recognizes a link that ends the session: %s", (text) => {
  expect(isSignOutText(text)).toBe(true);
});

it.each(["How to log out", "Logout button", "Log outages", "Salir de fiesta", "Sign"])(
  "doesn't take another link for one: %s",
  (text) => {
    expect(isSignOutText(text)).toBe(false);
  },
);
