import { DurableObject } from "cloudflare:workers";

/** Keeps one event per ended job where Analytics Engine isn't available, which is locally. */
export class EventLog extends DurableObject<Env> {}
