/** Where better-auth answers: its own links and GitHub's callback lead there. */
export const AUTH_PATH = "/dashboard/auth";

/** Where better-auth looks for the caller's address: we put it there. */
export const ADDRESS_HEADER = "cf-connecting-ip";
