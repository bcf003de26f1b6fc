import { inject } from "vitest";
import { customerOf, type ShopRequest } from "./shop.ts";
import "./provided.ts";

/** The shop as it is seen by one test, with its own pages and secrets. */
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

  /** The actions that sign in the customer. */
  get signIn() {
    const { email, password } = this.customer;
    return [
      { type: "type" as const, selector: "#email", text: email },
      { type: "type" as const, selector: "#password", text: password },
      { type: "click" as const, selector: "#sign-in" },
      { type: "wait" as const, selector: "#customer" },
    ];
  }

  /** The options for reading the partners' page. */
  get partner() {
    const { key, contract } = this.customer;
    return { headers: { "X-Partner-Key": key }, cookies: { contract } };
  }

  get basicAuth() {
    const { email, password } = this.customer;
    return { username: email, password };
  }

  /** Returns the requests that the shop or the other host has received from this test. */
  async requests(host: "shop" | "other"): Promise<ShopRequest[]> {
    const response = await fetch(`${this.#origin}/__requests?id=${this.id}`);
    const requests = (await response.json()) as ShopRequest[];
    return requests.filter(({ isOther }) => isOther === (host === "other"));
  }

  /** Returns the customer's secrets that the text contains, plain or encoded. */
  secretsIn(text: string): string[] {
    const { email, password } = this.customer;
    const values = { ...this.customer, credentials: btoa(`${email}:${password}`) };
    return Object.entries(values)
      .filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)))
      .map(([name]) => name);
  }
}
