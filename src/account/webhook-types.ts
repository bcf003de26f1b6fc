// The parameters and replies of the account's Durable Object for its webhook endpoints.
import type { Mode } from "../model/api-key";
import type { WebhookEvent } from "../model/delivery";
import type { Gone } from "./types";

/** Identifies a webhook endpoint of the account. */
export interface EndpointKey {
  mode: Mode;
  id: string;
}

/** The settings of a webhook endpoint. Secrets are encrypted. */
export interface WebhookRow {
  /** Null if the account has no webhook URL. Only the endpoint ACCOUNT_ENDPOINT can have no URL. */
  url: string | null;
  /** The events that are sent to the endpoint. Null for DEFAULT_EVENTS. */
  events: WebhookEvent[] | null;
  secret: string | null;
  previousSecret: string | null;
  /** The time at which the previous secret stops signing (Unix ms). Null if there is no previous secret. */
  previousExpiresAt: number | null;
}

/** A webhook endpoint in the list of endpoints. */
export interface WebhookEndpointRow extends WebhookRow {
  id: string;
  url: string;
  /** Unix ms. Null for ACCOUNT_ENDPOINT. */
  createdAt: number | null;
}

/**
 * `duplicate`: another endpoint has the URL. `full`: the mode has MAX_WEBHOOK_ENDPOINTS other endpoints. `missing`: there
 * is no such endpoint.
 */
export type WebhookReply = { kind: "webhook"; webhook: WebhookRow } | { kind: "duplicate" | "full" | "missing" } | Gone;

export interface NewWebhookEndpoint {
  mode: Mode;
  id: string;
  url: string;
  events: WebhookEvent[] | null;
  /** Encrypted. */
  secret: string;
}

/** A change of a webhook endpoint. Secrets are encrypted. */
export type WebhookChange =
  | { kind: "url"; url: string | null }
  /** Null selects DEFAULT_EVENTS. */
  | { kind: "events"; events: WebhookEvent[] | null }
  /** Stores the first secret. Has no effect if there is already a secret. */
  | { kind: "first_secret"; secret: string }
  /**
   * Replaces the secret. `from` is the expected secret, or null if there should be none. If the stored secret is a
   * different one, nothing changes. The previous secret signs until it expires.
   */
  | {
      kind: "rotation";
      from: string | null;
      secret: string;
      previousSecret: string | null;
      previousExpiresAt: number | null;
    };
