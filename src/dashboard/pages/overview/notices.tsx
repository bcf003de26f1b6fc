import type { User } from "../../ui/env";
import { VerifyNotice } from "../../ui/notices";

const DONE: Record<string, string> = {
  welcome: "Welcome. Your account is on the free plan, with its first credits.",
  verified: "Your email address is verified.",
};

interface NoticesProps {
  env: Env;
  user: User;
  done: string | undefined;
}

/** What has just been done, and what the user still has to do about the address. */
export function Notices({ env, user, done }: NoticesProps) {
  const words = done === "verified" && !user.emailVerified ? undefined : DONE[done ?? ""];
  return (
    <>
      {words === undefined ? null : (
        <div class="notice good" role="status">
          {words}
        </div>
      )}
      <VerifyNotice env={env} user={user} />
    </>
  );
}
