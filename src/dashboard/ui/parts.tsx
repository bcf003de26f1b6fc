import type { Child } from "hono/jsx";
import { toIso } from "../../lib/clock";
import { Icon } from "./icon";

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

/** A figure with its name. */
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

/** A state as a word in its colour. */
export function Status({ is }: { is: string }) {
  return <span class={`status ${TONES[is] ?? "muted"}`}>{is}</span>;
}

/** A moment: UTC as it stands; the reader's own time zone once the script has run. */
export function Time({ at }: { at: number }) {
  const iso = toIso(at);
  return (
    <time datetime={iso} title={iso}>
      {`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}
    </time>
  );
}

/** Copies the text of the element with this id. Only with scripts: without them it isn't shown. */
export function CopyButton({ of, label = "Copy" }: { of: string; label?: string }) {
  return (
    <button type="button" class="button quiet small copy js" data-copy={of} hidden>
      <Icon name="copy" />{" "}
      <span data-label aria-live="polite">
        {label}
      </span>
    </button>
  );
}

/** Text in a fixed font that can be copied. */
export function Code({ id, children, label }: { id: string; children: string; label: string }) {
  return (
    <div class="code-block">
      <section class="scroll" aria-label={label} tabindex={0}>
        <pre id={id}>
          <code>{children}</code>
        </pre>
      </section>
      <CopyButton of={id} />
    </div>
  );
}

/** In place of a list that has nothing in it yet: what would fill it. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/**
 * What goes on by itself: the script fetches `src`, which answers with this element among others, every two seconds (or
 * `every`) until it answers without the mark of something under way. Without scripts the page has to be loaded again.
 */
export function Live(props: { id: string; src: string; busy: boolean; every?: number; children?: Child }) {
  const { id, src, busy, every, children } = props;
  return (
    <div id={id} data-live={src} data-busy={busy ? "true" : undefined} data-every={every}>
      {children}
    </div>
  );
}

/** A button that is a form of its own: it changes something. `confirm` is asked first, where scripts run. */
export function PostButton(props: {
  action: string;
  label: Child;
  tone?: "primary" | "quiet" | "danger";
  confirm?: string;
  fields?: Record<string, string>;
  small?: boolean;
}) {
  const { action, label, tone = "quiet", confirm, fields = {}, small = true } = props;
  return (
    <form method="post" action={action} class="inline" data-confirm={confirm}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={`button ${tone}${small ? " small" : ""}`}>
        {label}
      </button>
    </form>
  );
}
