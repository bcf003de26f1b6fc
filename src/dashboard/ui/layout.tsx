import type { Child } from "hono/jsx";
import { useRequestContext } from "hono/jsx-renderer";
import { MODES, type Mode } from "../../model/api-key";
import { canSendEmail } from "../../net/email";
import type { Account } from "../../store/accounts";
import { BrandHead, BrandLink } from "./brand";
import { LinkTabs, SubmitButton } from "./components";
import type { DashboardEnv, SupportView } from "./env";
import { capitalize } from "./format";
import { Icon, type IconName } from "./icon";
import { Operator, OperatorLinks } from "./operator";
import { PostButton, PostForm } from "./post-form";

/** The second argument of `c.render`: title, navigation and actions of a page. */
interface PageHead {
  /** The title of the browser tab and the page's heading. */
  title: string;
  /** One sentence under the heading. */
  lead?: Child | undefined;
  /** Buttons and links next to the heading. */
  actions?: Child | undefined;
  /** The current entry of the navigation. */
  section?: Section | undefined;
  /** True for a page without navigation, such as the sign-in page. */
  bare?: boolean;
  /** The names of additional scripts in assets/dashboard/. */
  scripts?: readonly string[];
}

declare module "hono" {
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: only an interface can be merged with Hono's.
    (content: Child, head: PageHead): Response | Promise<Response>;
  }
}

const SECTIONS = [
  { id: "overview", href: "/dashboard", label: "Overview", icon: "chart" },
  { id: "playground", href: "/dashboard/playground", label: "Playground", icon: "play" },
  { id: "jobs", href: "/dashboard/jobs", label: "Jobs", icon: "list" },
  { id: "batches", href: "/dashboard/batches", label: "Batches", icon: "stack" },
  { id: "usage", href: "/dashboard/usage", label: "Usage", icon: "usage" },
  { id: "keys", href: "/dashboard/keys", label: "API keys", icon: "key" },
  { id: "webhooks", href: "/dashboard/webhooks", label: "Webhooks", icon: "hook" },
  { id: "plan", href: "/dashboard/plan", label: "Plan and limits", icon: "gauge" },
  { id: "account", href: "/dashboard/account", label: "Account", icon: "team" },
  { id: "settings", href: "/dashboard/settings", label: "Settings", icon: "user" },
  { id: "admin", href: "/dashboard/admin", label: "Admin", icon: "shield" },
] as const satisfies { id: string; href: string; label: string; icon: IconName }[];

type Section = (typeof SECTIONS)[number]["id"];

/** The sections that show the same in both modes. */
const WITHOUT_MODE: readonly Section[] = ["keys", "plan", "account", "settings", "admin"];

/** The HTML document around every page. */
export function Layout({
  children,
  title,
  lead,
  actions,
  section,
  bare,
  scripts = [],
}: PageHead & { children?: Child }) {
  // `account` is undefined if an error occurred before `requireUser`. The error page then has no navigation.
  const { env, var: variables } = useRequestContext<DashboardEnv>();
  const { user, account }: Partial<DashboardEnv["Variables"]> = variables;
  return (
    <html lang="en">
      <head>
        <BrandHead env={env} title={title} />
        <link rel="stylesheet" href="/dashboard/style.css" />
        <script src="/dashboard/dashboard.js" defer />
        {scripts.map((name) => (
          <script src={`/dashboard/${name}.js`} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {user === null || account === undefined || bare ? (
          <Plain>{children}</Plain>
        ) : (
          <Shell title={title} lead={lead} actions={actions} section={section}>
            {children}
          </Shell>
        )}
      </body>
    </html>
  );
}

function Plain({ children }: { children?: Child }) {
  const { env } = useRequestContext<DashboardEnv>();
  return (
    <main id="main" class="plain">
      <BrandLink env={env} href="/dashboard" />
      {children}
      <OperatorLinks />
    </main>
  );
}

function Shell({ children, title, lead, actions, section }: PageHead & { children?: Child }) {
  const { env, var: variables } = useRequestContext<DashboardEnv>();
  const { account, isAdmin, mode, user, support } = variables;
  const current = support === undefined ? section : "admin";
  const hasMode = section === undefined || !WITHOUT_MODE.includes(section);
  return (
    <div class={hasMode && mode === "test" ? "shell test-mode" : "shell"}>
      <header class="side">
        <BrandLink env={env} href="/dashboard" />
        <button type="button" class="button small menu-button" popovertarget="menu">
          Menu
        </button>
        <div id="menu" popover="auto">
          <nav aria-label="Main">
            <ul>
              {SECTIONS.filter(({ id }) => id !== "admin" || isAdmin).map(({ id, href, label, icon }) => (
                <li>
                  <a href={href} aria-current={id === current ? "page" : undefined}>
                    <Icon name={icon} /> {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="whoami">
            <a class="docs-link" href="/docs">
              <Icon name="book" /> Documentation
            </a>
            <AccountSwitch />
            <p class="who" title={user?.email}>
              {user?.email}
            </p>
            <PostButton action="/dashboard/sign-out" label="Sign out" />
          </div>
        </div>
      </header>
      <main id="main">
        {account.suspendedAt === null ? null : (
          <div class="notice bad" role="alert">
            This account is suspended. Requests with its API keys and in the playground are refused. Contact{" "}
            <Operator />.
          </div>
        )}
        {support === undefined ? (
          <ReadOnlyNotice />
        ) : (
          <SupportNotice account={account} support={support} section={section} />
        )}
        <div class="page-head">
          <div>
            <h1>{title}</h1>
            {lead === undefined ? null : <p class="lead">{lead}</p>}
          </div>
          <div class="page-actions">
            {actions}
            {hasMode ? <ModeSwitch mode={mode} /> : null}
          </div>
        </div>
        {children}
        <OperatorLinks />
      </main>
    </div>
  );
}

/** The name of the account. If the user has several accounts, a form that switches between them. */
export function AccountSwitch() {
  const { account: shown, accounts, role, support } = useRequestContext<DashboardEnv>().var;
  const account = support?.own ?? shown;
  if (accounts.length < 2) return role === "owner" || support !== undefined ? null : <p class="who">{account.name}</p>;
  return (
    <PostForm action="/dashboard/account/switch" class="account-switch">
      <select name="account" aria-label="Account">
        {accounts.map(({ account: { id, name } }) => (
          <option value={id} selected={id === account.id}>
            {name}
          </option>
        ))}
      </select>
      <SubmitButton tone="quiet" small label="Switch" />
    </PostForm>
  );
}

/** The notice of a user who can't make changes. */
function ReadOnlyNotice() {
  const { account, role } = useRequestContext<DashboardEnv>().var;
  if (role !== "read_only") return null;
  return (
    <div class="notice" role="status">
      You have read-only access to the account {account.name}. To make changes, ask an owner for the role member.
    </div>
  );
}

/** The switch between live and test data. */
function ModeSwitch({ mode }: { mode: Mode }) {
  return (
    <PostForm action="/dashboard/mode" class="mode" label="Shown data">
      {MODES.map((each) => (
        <button type="submit" name="mode" value={each} class={each} aria-pressed={each === mode ? "true" : "false"}>
          {capitalize(each)}
          <span class="visually-hidden"> data</span>
        </button>
      ))}
    </PostForm>
  );
}

/** The notice to verify the email address. Empty if it is verified or if the service doesn't send emails. */
export function VerifyNotice() {
  const { env, var: variables } = useRequestContext<DashboardEnv>();
  const { user } = variables;
  if (user === null || user.emailVerified || !canSendEmail(env)) return null;
  return (
    <div class="notice row">
      <span>
        Verify your email address to get your monthly credits and to create live keys. Open the link in the email that
        we sent to <strong>{user.email}</strong>. The link expires in 24 hours.
      </span>
      <PostButton action="/dashboard/settings/verify" label="Send new link" />
    </div>
  );
}

/** The pages of a customer's account that an admin can view. */
export const VIEWS = [
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
function SupportNotice({ account, support: { base }, section }: SupportNoticeProps) {
  return (
    <>
      <div class="notice support" role="status">
        You see the account <a href={base}>{account.name}</a> as its members see it. You can't change anything on these
        pages, and the audit log records the pages that you open.
      </div>
      <LinkTabs
        label="Pages of the account"
        current={section}
        links={VIEWS.map(([path, label]) => [path, `${base}/${path}`, label])}
      />
    </>
  );
}
