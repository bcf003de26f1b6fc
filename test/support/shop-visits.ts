import { inject } from "vitest";
import { customerOf, type ShopRequest } from "./shop.ts";
import "./provided.ts";

/** The shop as one test uses it, with its own pages and secrets. */
export class ShopVisit {
  readonly id = crypto.randomUUID();
  readonly customer = customerOf(this.id);
  readonly #origin: string;

  constructor(origin = inject("shop")) {
    this.#origin = origin;
  }

  /** Returns the URL of one of the shop's pages. */
  url(page: string): string {
    return `${this.#origin}/${this.id}/${page}`;
  }

  /** The actions that sign the customer in. */
  get signIn() {
    const { email, password } = this.customer;
    return [
      { type: "type" as const, selector: "#email", text: email },
      { type: "type" as const, selector: "#password", text: password },
      { type: "click" as const, selector: "#sign-in" },
      { type: "wait" as const, selector: "#customer" },
    ];
  }

  /** The options with which the partners' page can be read. */
  get partner() {
    const { key, contract } = this.customer;
    return { headers: { "X-Partner-Key": key }, cookies: { contract } };
  }

  get basicAuth() {
    const { email, password } = this.customer;
    return { username: email, password };
  }

  /** Returns the requests of this test that the shop or the other host got. */
  async requests(host: "shop" | "other"): Promise<ShopRequest[]> {
    const response = await fetch(`${this.#origin}/__requests?id=${this.id}`);
    const requests = (await response.json()) as ShopRequest[];
    return requests.filter(({ isOther }) => isOther === (host === "other"));
  }

  /** Returns the secrets of the customer that the text contains, as they are or encoded. */
  secretsIn(text: string): string[] {
    const { email, password } = this.customer;
    const values = { ...this.customer, credentials: btoa(`${email}:${password}`) };
    return Object.entries(values)
      .filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)))
      .map(([name]) => name);
  }
}
