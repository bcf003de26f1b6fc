import type { Child } from "hono/jsx";
import { useRequestContext } from "hono/jsx-renderer";
import { toIso } from "../../lib/clock";
import { canSendEmail } from "../../net/email";
import type { User } from "./env";
import { FormErrorNotice, type FormErrors } from "./form";
import { toAge, toWait } from "./format";
import { PostForm } from "./post-form";

/** A section with an optional heading and actions. */
export function Card({ title, actions, children }: { title?: string; actions?: Child; children?: Child }) {
  return (
    <section class="card">
      {title === undefined ? null : (
        <div class="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

interface SignCardProps {
  title: string;
  errors?: FormErrors | undefined;
  /** The links below the card's content. Omits null entries. */
  links?: readonly (readonly [href: string, label: string] | null)[];
  children?: Child;
}

/** The card of a page without navigation, such as the sign-in page. */
export function SignCard({ title, errors, links = [], children }: SignCardProps) {
  return (
    <section class="card sign">
      <h1>{title}</h1>
      <FormErrorNotice errors={errors} />
      {children}
      {links.length === 0 ? null : (
        <p class="alternatives">{links.map((link) => (link === null ? null : <a href={link[0]}>{link[1]}</a>))}</p>
      )}
    </section>
  );
}

/** A value with its label, for use in `dl.stats`. */
export function Stat({ label, value, note }: { label: string; value: Child; note?: Child }) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <span class="value">{value}</span>
        {note === undefined ? null : <span class="note">{note}</span>}
      </dd>
    </div>
  );
}

/** A name and a value. */
export type Fact = readonly [name: Child, value: Child];

/** A list of names and values. Omits null entries. */
export function Facts({ of: facts, label }: { of: readonly (Fact | null)[]; label?: string }) {
  return (
    <dl class="facts" aria-label={label}>
      {facts.map((fact) =>
        fact === null ? null : (
          <>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </>
        ),
      )}
    </dl>
  );
}

/** A name and a value, with a note below the name. The value is at the end of the line. For use in `dl.limits`. */
export function LimitLine({ what, value, note = "" }: { what: string; value: Child; note?: string }) {
  return (
    <div>
      <dt>
        {what}
        {note === "" ? null : <span class="note small muted">{note}</span>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

const TONES: Record<string, string> = {
  completed: "good",
  succeeded: "good",
  active: "good",
  failed: "bad",
  abandoned: "bad",
  suspended: "bad",
  revoked: "muted",
  queued: "muted",
  processing: "busy",
  pending: "busy",
};

/** A status as a word in the status's color. */
export function StatusBadge({ is }: { is: string }) {
  return <span class={`status ${TONES[is] ?? "muted"}`}>{is}</span>;
}

/** A time in UTC. A script converts it to the user's time zone and adds the time in UTC as a tooltip. */
export function Time({ at }: { at: number }) {
  const iso = toIso(at);
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}</time>;
}

/** The age of a time. The exact time is the tooltip. A script keeps the age up to date. */
export function RelativeTime({ at, now }: { at: number; now: number }) {
  const iso = toIso(at);
  return (
    <time datetime={iso} title={`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`} data-relative>
      {toAge(at, now)}
    </time>
  );
}

/** The time until a time in the future. A script adds the exact time as a tooltip and keeps the text up to date. */
export function TimeUntil({ at, now }: { at: number; now: number }) {
  return (
    <time datetime={toIso(at)} data-relative="ahead">
      {toWait(at, now)}
    </time>
  );
}

/** A button that copies the text of the element with the id `of`. Hidden if JavaScript is disabled. */
export function CopyButton({ of, label = "Copy" }: { of: string; label?: string }) {
  return (
    <button type="button" class="button quiet small copy js" data-copy={of} hidden>
      <span data-label aria-live="polite">
        {label}
      </span>
    </button>
  );
}

/** Text in a fixed-width font, with a button that copies it. */
export function CodeBlock(props: { id: string; children: string; label: string; wrap?: boolean }) {
  const { id, children, label, wrap = false } = props;
  return (
    <div class={wrap ? "code-block wrap" : "code-block"}>
      <section class="scroll" aria-label={label} tabindex={0}>
        <pre id={id}>
          <code>{children}</code>
        </pre>
      </section>
      <CopyButton of={id} />
    </div>
  );
}

interface Panel {
  id: string;
  /** The text of the tab. */
  label: string;
  content: Child;
}

/** Panels with tabs. A script shows one panel at a time. If JavaScript is disabled, all panels are visible. */
export function Tabs({
  id: group,
  label: groupLabel,
  panels,
}: {
  id: string;
  label: string;
  panels: readonly Panel[];
}) {
  return (
    <div data-tabs>
      <div class="tabs js" role="tablist" aria-label={groupLabel} hidden>
        {panels.map(({ id, label }) => (
          <button type="button" role="tab" id={`tab-${group}-${id}`} aria-controls={`panel-${group}-${id}`}>
            {label}
          </button>
        ))}
      </div>
      {panels.map(({ id, content }) => (
        <div role="tabpanel" id={`panel-${group}-${id}`} aria-labelledby={`tab-${group}-${id}`}>
          {content}
        </div>
      ))}
    </div>
  );
}

/** The text that is shown instead of an empty list. The children describe how to fill the list. */
export function EmptyState({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/**
 * A part of the page that updates automatically while `busy` is true. A script fetches `src` after two seconds, or
 * after `every` milliseconds, and replaces this element with the new element of the same id. The service holds later
 * requests until the account's data has changed. `parts` has the ids of other elements, separated by spaces. The script
 * also replaces their content if `src` contains them.
 */
export function AutoRefresh(props: {
  id: string;
  src: string;
  busy: boolean;
  every?: number;
  parts?: string;
  children?: Child;
}) {
  const { id, src, busy, every, parts, children } = props;
  return (
    <div id={id} data-live={src} data-busy={busy ? "true" : undefined} data-every={every} data-live-parts={parts}>
      {children}
    </div>
  );
}

/** A link that looks like a button. */
export function LinkButton(props: { href: string; label: Child; tone?: "primary" | "quiet"; small?: boolean }) {
  const { href, label, tone, small = false } = props;
  return (
    <a class={["button", tone, small && "small"].filter(Boolean).join(" ")} href={href}>
      {label}
    </a>
  );
}

interface SubmitButtonProps {
  label: string;
  tone?: "primary" | "plain" | "quiet" | "danger";
  wide?: boolean;
  disabled?: boolean;
}

/** The button that sends the form around it. */
export function SubmitButton({ label, tone = "primary", wide = false, disabled }: SubmitButtonProps) {
  const classes = ["button", tone !== "plain" && tone, wide && "wide"].filter(Boolean).join(" ");
  return (
    <button class={classes} type="submit" disabled={disabled}>
      {label}
    </button>
  );
}

/** A button with its own POST form. `confirm` is a question that a script shows before it sends the form. */
export function PostButton(props: {
  action: string;
  label: string;
  /** The object of the action. Only screen readers get it. */
  about?: string;
  tone?: "primary" | "quiet" | "danger";
  confirm?: string;
  fields?: Record<string, string>;
  small?: boolean;
}) {
  const { action, label, about, tone = "quiet", confirm, fields = {}, small = true } = props;
  return (
    <PostForm action={action} class="inline" confirm={confirm}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={`button ${tone}${small ? " small" : ""}`}>
        {label}
        {about === undefined ? null : <span class="visually-hidden"> {about}</span>}
      </button>
    </PostForm>
  );
}

/** A link from untrusted content. Without an http: or https: URL, it is shown as text. */
export function ExternalLink({ href, title, children }: { href: string; title?: string | undefined; children: Child }) {
  const url = /^https?:\/\//i.test(href.trim()) ? URL.parse(href.trim()) : null;
  if (url === null) return <>{children}</>;
  return (
    <a href={url.href} title={title} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** An error message with a link to the overview. If a form was refused, it also has a link to the form's page. */
export function ErrorPage({ title, message }: { title: string; message: string }) {
  const { req } = useRequestContext();
  const formPage = toFormPage(req.method, req.header("referer"));
  return (
    <div class="card narrow">
      <h2>{title}</h2>
      <p>{message}</p>
      <div class="row">
        {formPage === null ? null : (
          <a class="button" href={formPage}>
            Go back
          </a>
        )}
        <a class="button" href="/dashboard">
          Go to overview
        </a>
      </div>
    </div>
  );
}

/** Returns the path of the dashboard's page from which a form was sent, or null. */
function toFormPage(method: string, referrer: string | undefined): string | null {
  const page = method === "POST" ? URL.parse(referrer ?? "") : null;
  return page?.pathname.startsWith("/dashboard") ? page.pathname + page.search : null;
}

/** The confirmation of an action. `word` is the value of `?done=`, which the redirect after the action sets. */
export function DoneNotice({ word, texts }: { word: string | undefined; texts: Record<string, string> }) {
  const text = word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined;
  if (text === undefined) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

/** The notice to verify the email address. Empty if it is verified or if the service doesn't send emails. */
export function VerifyNotice({ env, user }: { env: Env; user: User | null }) {
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
