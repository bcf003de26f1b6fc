import type { Child, JSX, PropsWithChildren } from "hono/jsx";
import { toIso } from "../../lib/clock";
import { toShown } from "./format";

/** A card. With `id`, screen readers list it as a region with its title. */
export function Card({
  id,
  title,
  actions,
  children,
}: PropsWithChildren<{ id?: string; title?: string; actions?: Child }>) {
  const titleId = id && `${id}-title`;
  return (
    <section class="card" id={id} aria-labelledby={titleId}>
      {title === undefined ? null : (
        <div class="card-head">
          <h2 id={titleId}>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** A value with its label, a note, and the label's tooltip. */
export type Stat = readonly [label: string, value: Child, note?: Child, title?: string];

/** A list of values with their labels. Omits null entries. */
export function Stats({ of: stats }: { of: readonly (Stat | null)[] }) {
  return (
    <dl class="stats">
      {stats.map((stat) => {
        if (stat === null) return null;
        const [label, value, note, title] = stat;
        return (
          <div class="stat">
            <dt title={title}>{label}</dt>
            <dd>
              <span class="value">{toShown(value)}</span>
              {note === undefined ? null : <span class="note">{note}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export type Fact = readonly [name: Child, value: Child, note?: string];

interface FactsProps {
  of: readonly (Fact | null)[];
  label?: string;
  /** `limits` has the values at the end of the lines. */
  class?: "facts" | "limits";
}

/** A list of names and values, with optional notes below the names. Omits null entries. */
export function Facts({ of: facts, label, class: className = "facts" }: FactsProps) {
  return (
    <dl class={className} aria-label={label}>
      {facts.map((fact) =>
        fact === null ? null : (
          <div>
            <dt>
              {fact[0]}
              {fact[2] ? <span class="note small muted">{fact[2]}</span> : null}
            </dt>
            <dd>{toShown(fact[1])}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface ListedItemProps {
  title: Child;
  badge?: Child;
  /** The text under the title. */
  note: Child;
  /** The actions of the item. */
  children?: Child;
}

/** An item of a list with the class `sessions`, such as a session or a member. */
export function ListedItem({ title, badge, note, children }: ListedItemProps) {
  return (
    <li>
      <div class="what">
        {title} {badge}
        <div class="small muted">{note}</div>
      </div>
      {children}
    </li>
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
  investigating: "bad",
  identified: "warn",
  monitoring: "busy",
  resolved: "good",
};

/** A status as a word in the status's color. */
export function StatusBadge({ is }: { is: string }) {
  return <span class={`status ${TONES[is] ?? "muted"}`}>{is}</span>;
}

/** A time in UTC. A script converts it to the user's time zone. The tooltip is the time in ISO 8601. */
export function Time({ at }: { at: number }) {
  const iso = toIso(at);
  return (
    <time datetime={iso} title={iso}>
      {`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
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

/** Links to the views of a page. They look like tabs, and the link of the current view is marked. */
export function LinkTabs<Id extends string>(props: {
  label: string;
  current: Id | undefined;
  links: readonly (readonly [id: Id, href: string, label: Child])[];
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.links.map(([id, href, label]) => (
        <a href={href} aria-current={id === props.current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

interface EmptyStateProps {
  title: string;
  /** The explanation, or how to fill the list. */
  text?: Child;
  /** The next step of the user. */
  link?: readonly [href: string, label: string];
  children?: Child;
}

/** The text that is shown instead of an empty page or card. */
export function EmptyState({ title, text, link, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {link === undefined ? null : <LinkButton href={link[0]} tone="primary" label={link[1]} />}
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

interface ButtonProps {
  label: Child;
  /** The object of the action. Only screen readers get it. */
  about?: string | undefined;
  tone?: "primary" | "plain" | "quiet" | "danger" | undefined;
  small?: boolean | undefined;
  wide?: boolean | undefined;
}

/** A link that looks like a button. Other properties are attributes of the link. */
export function LinkButton(props: ButtonProps & JSX.IntrinsicElements["a"]) {
  const { label, about, tone = "plain", small, wide, ...attributes } = props;
  return (
    <a class={toButtonClass({ tone, small, wide })} {...attributes}>
      {toButtonText({ label, about })}
    </a>
  );
}

/** The button that sends the form around it. Other properties are attributes of the button. */
export function SubmitButton(props: ButtonProps & JSX.IntrinsicElements["button"]) {
  const { label, about, tone = "primary", small, wide, ...attributes } = props;
  return (
    <button class={toButtonClass({ tone, small, wide })} type="submit" {...attributes}>
      {toButtonText({ label, about })}
    </button>
  );
}

function toButtonClass({ tone, small, wide }: Partial<ButtonProps>): string {
  return ["button", tone !== "plain" && tone, small && "small", wide && "wide"].filter(Boolean).join(" ");
}

function toButtonText({ label, about }: Pick<ButtonProps, "label" | "about">): Child {
  return about === undefined ? label : [label, <span class="visually-hidden"> {about}</span>];
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

/** An error message with a link to the overview. */
export function ErrorPage({ title, message }: { title: string; message: string }) {
  return (
    <div class="card narrow">
      <h2>{title}</h2>
      <p>{message}</p>
      <p>
        <LinkButton href="/dashboard" label="Go to overview" />
      </p>
    </div>
  );
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
