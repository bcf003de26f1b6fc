import type { Account } from "../../store/accounts";
import type { SupportView } from "./env";

const VIEWS = [
  ["jobs", "Jobs"],
  ["batches", "Batches"],
  ["keys", "API keys"],
  ["webhooks", "Webhooks"],
  ["usage", "Usage"],
] as const;

interface SupportNoticeProps {
  account: Account;
  support: SupportView;
  /** The section of the dashboard to which the viewed page belongs. */
  section: string | undefined;
}

/** The notice and the navigation of an admin who views a customer's account. */
export function SupportNotice({ account, support: { base }, section }: SupportNoticeProps) {
  return (
    <>
      <div class="notice support" role="status">
        You see the account <a href={base}>{account.name}</a> as its members see it. You can't change anything on these
        pages, and the audit log records the pages that you open.
      </div>
      <nav class="row support-pages" aria-label="Pages of the account">
        {VIEWS.map(([path, label]) => (
          <a
            class={path === section ? "button small" : "button quiet small"}
            href={`${base}/${path}`}
            aria-current={path === section ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
