import type { Account } from "../../../store/accounts";
import { Card, Stat } from "../../ui/components";

/** What can be spent, and what was spent of this period's credits. */
export function Balance({ account, now }: { account: Account; now: number }) {
  const { balance, reserved, granted, used, nextGrantAt } = account;
  // An account is granted its credits when a page is opened, unless its user has yet to confirm the address.
  const isHeld = nextGrantAt <= now;
  return (
    <Card>
      <dl class="stats">
        <Stat label="Balance" value={balance.toLocaleString("en")} note="credits" />
        <Stat label="Reserved" value={reserved.toLocaleString("en")} note="for jobs under way" />
        <Stat
          label="Used in this period"
          value={used.toLocaleString("en")}
          note={granted > 0 ? `of ${granted.toLocaleString("en")} granted` : "credits"}
        />
        {isHeld ? (
          <Stat label="Next credits" value="On hold" note="until you confirm your email address" />
        ) : (
          <Stat label="Renews" value={toDay(nextGrantAt)} note="what is left then runs out" />
        )}
      </dl>
      {granted > 0 ? (
        <progress
          class="share"
          max={granted}
          value={Math.min(used, granted)}
          aria-label="Used of this period's credits"
        />
      ) : null}
      {balance === 0 && !isHeld ? (
        <p class="small">
          There are no credits left: requests with live keys are refused until the period renews. Test keys work on, and{" "}
          <a href="/dashboard/plan">another plan</a> has more.
        </p>
      ) : null}
    </Card>
  );
}

/** `21 Dec 2026`, UTC. */
function toDay(at: number): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}
