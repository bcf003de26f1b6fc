/** Where better-auth answers: its own links and GitHub's callback lead there. */
export const AUTH_PATH = "/dashboard/auth";

/** Where better-auth looks for the caller's address: we put it there. */
export const ADDRESS_HEADER = "cf-connecting-ip";

/** How long somebody who tries too often has to wait, in seconds: better-auth's own header. */
export const WAIT_HEADER = "x-retry-after";

/** Where who comes back from GitHub without having signed in is sent; `error` says why. */
export const GITHUB_FAILED_PATH = "/dashboard/sign-in?done=github";

/** A mail to a user. `registered` tells the owner of an address that someone tried to sign up with it. */
export type Letter = { to: string } & ({ kind: "verify" | "reset"; token: string } | { kind: "registered" });
