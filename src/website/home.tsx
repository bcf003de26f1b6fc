import type { Child } from "hono/jsx";
import { toApiCommand } from "../dashboard/ui/api-command";
import { capitalize } from "../dashboard/ui/format";
import { Figures } from "../dashboard/ui/table";
import { listPlans, listPrices, type PlanLine, toPlanFigure } from "../endpoints/price-list";
import { isStartedLocally } from "../lib/env";
import { isSignUpOpen, toBrand } from "../model/operator";
import { toPrices } from "../model/prices";
import EXAMPLES from "./examples.json";
import TEXTS from "./home-texts.json";

const { scrape, parse, blocked } = EXAMPLES;

/** The parts of responses that the claims show. */
const PROOFS: Record<string, unknown> = {
  blocked: { error: blocked.answer.error, receipt: blocked.answer.meta.receipt },
  parse: parse.answer.meta,
  receipt: { receipt: scrape.answer.meta.receipt },
  hidden: { content_warnings: scrape.answer.meta.content_warnings },
};

/** Returns the home page. Its content depends only on the variables, so it works while other parts are down. */
export function home(env: Env, origin: string) {
  const { headline, lead, example, uses, claims, dashboard, prices } = TEXTS;
  const { data, meta } = scrape.answer;
  const { content_warnings: _, ...charged } = meta;
  return {
    title: toBrand(env).name,
    description: lead,
    path: "/",
    width: "wide" as const,
    children: (
      <div class="home">
        <section class="hero">
          <h1>{headline}</h1>
          <p class="lead">{lead}</p>
          <Doors env={env} />
        </section>
        <section id="example" aria-label={example.title}>
          <div class="pair">
            <div class="stack">
              <Code
                title="Request"
                text={toApiCommand({ url: `${origin}${scrape.path}`, key: "$KEY", body: toJson(scrape.body) })}
              />
              <Code title="Response: data.json" text={toJson(data.json)} />
            </div>
            <div class="stack">
              <Code title="Response: data.markdown" text={data.markdown} />
              <Code title="Response: meta" text={toJson(charged)} />
            </div>
          </div>
          <p class="small muted">
            {example.text} <a href="/website/sample.html">See the sample page</a>
          </p>
        </section>
        <Part id="uses" title={uses.title}>
          <ul class="cards">
            {uses.items.map(({ title, text, link, label }) => (
              <li class="card">
                <h3>{title}</h3>
                <p class="muted">{text}</p>
                <a href={link}>{label}</a>
              </li>
            ))}
          </ul>
        </Part>
        <Part id="claims" title={claims.title}>
          <ul class="claims">
            {claims.items.map(({ title, text, source, example: name }) => (
              <li>
                <div>
                  <h3>{title}</h3>
                  <p class="muted">{text}</p>
                </div>
                <Code title={source} text={toJson(PROOFS[name])} />
              </li>
            ))}
          </ul>
        </Part>
        <Part id="dashboard" title={dashboard.title} text={dashboard.text}>
          <picture>
            <source media="(prefers-color-scheme: dark)" srcset="/website/dashboard-dark.webp" />
            <img
              src="/website/dashboard-light.webp"
              alt={dashboard.alt}
              width="1280"
              height="800"
              loading="lazy"
              class="picture"
            />
          </picture>
        </Part>
        <Part id="prices" title={prices.title} text={prices.text}>
          <div class="pair">
            <Figures
              label="Prices of operations"
              rows={listPrices(toPrices(env))}
              columns={[
                { label: "Operation", cell: ([what]) => what },
                { label: "Credits", class: "number", cell: ([, credits]) => credits },
              ]}
            />
            <Plans env={env} />
          </div>
        </Part>
      </div>
    ),
  };
}

function Part({ id, title, text, children }: { id: string; title: string; text?: string; children: Child }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {text === undefined ? null : <p class="lead">{text}</p>}
      {children}
    </section>
  );
}

function Doors({ env }: { env: Env }) {
  // `npm start` has already created an account.
  const [path, label] = isStartedLocally(env)
    ? ["/dashboard", "Open the dashboard"]
    : isSignUpOpen(env)
      ? ["/dashboard/sign-up", "Sign up"]
      : ["/dashboard", "Sign in"];
  return (
    <p class="row">
      <a class="button primary" href={path}>
        {label}
      </a>
      <a class="button" href="/docs">
        Read the docs
      </a>
      <a href="/docs/mcp">Connect an agent</a>
    </p>
  );
}

function Plans({ env }: { env: Env }) {
  const plans = listPlans(env);
  return (
    <Figures
      label="Plans"
      rows={plans}
      columns={[
        { label: "Plan", cell: ({ plan }) => capitalize(plan) },
        ...(plans.some(({ price }) => price !== null)
          ? [{ label: "Price", cell: ({ price }: PlanLine) => price ?? "–" }]
          : []),
        {
          label: "Credits per month",
          class: "number",
          cell: ({ plan, monthlyCredits }) => toPlanFigure(plan, monthlyCredits),
        },
        {
          label: "Requests per minute",
          class: "number",
          cell: ({ plan, ratePerMinute }) => toPlanFigure(plan, ratePerMinute),
        },
      ]}
    />
  );
}

/** A block of code. Keys and strings of JSON have colors. */
function Code({ title, text }: { title: string; text: string }) {
  // Every second part is a string. A key is a string before a colon.
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return (
    <figure class="sample">
      <figcaption>{title}</figcaption>
      <pre>
        <code>
          {parts.map((part, i) =>
            i % 2 === 0 ? part : <span class={parts[i + 1]?.startsWith(":") ? "name" : "text"}>{part}</span>,
          )}
        </code>
      </pre>
    </figure>
  );
}

const MAX_LINE_CHARS = 40;

/** Returns a value as JSON. An object or array of a few simple values is on one line. */
function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /([[{])\n +([^\s[\]{}][^[\]{}]*)\n *[\]}]/g,
    (text: string, open: string, items: string) => {
      const line = items.replace(/,\n\s+/g, ", ");
      if (line.length > MAX_LINE_CHARS) return text;
      return open === "[" ? `[${line}]` : `{ ${line} }`;
    },
  );
}
