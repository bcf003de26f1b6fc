/** The base path of better-auth's HTTP interface. GitHub's callback URL begins with it. */
export const AUTH_PATH = "/dashboard/auth";

/** The header from which better-auth reads the caller's IP address. `auth-client.ts` sets it. */
export const ADDRESS_HEADER = "cf-connecting-ip";

/** The header of better-auth's responses with the number of seconds to wait after too many attempts. */
export const RETRY_AFTER_HEADER = "x-retry-after";

/**
 * The shortest duration of a response that must not reveal if an address is registered. Without it, the duration would
 * show the difference, because creating a user takes a few milliseconds longer than finding one.
 */
export const MIN_RESPONSE_MS = 500;

/** After 10 wrong codes in a row, two-factor sign-in accepts no codes of the user for this time. */
export const LOCKED_MINUTES = 15;

/** The page after a failed sign-in with GitHub. better-auth adds the error's code as the parameter `error`. */
export const GITHUB_FAILED_PATH = "/dashboard/sign-in?done=github";

export const INVITATION_PATH = "/dashboard/invitation";

export function toInvitationPath(token: string): string {
  return `${INVITATION_PATH}?token=${encodeURIComponent(token)}`;
}
