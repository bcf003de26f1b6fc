/** The path under which better-auth answers. Its own links and GitHub's callback lead there. */
export const AUTH_PATH = "/dashboard/auth";

/** The header in which better-auth reads the caller's address. We set it. */
export const ADDRESS_HEADER = "cf-connecting-ip";

/** The header in which better-auth says how many seconds to wait after too many attempts. */
export const RETRY_AFTER_HEADER = "x-retry-after";

/** The page for users who come back from GitHub without a session. The parameter `error` says why. */
export const GITHUB_FAILED_PATH = "/dashboard/sign-in?done=github";
