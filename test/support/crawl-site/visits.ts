/** A request that the site received. */
export interface SiteVisit {
  /** Unix ms. */
  at: number;
  /** The path and the query. */
  path: string;
  userAgent: string;
  /** The number of requests that the site was serving, including this one. */
  inFlight: number;
  /** The name of the trap. Null for a real page, robots.txt and sitemaps. */
  trap: string | null;
  /** The status of the response. */
  status: number;
  /** The time (Unix ms) at which the response ended. Null if the client hasn't received all of it. */
  endedAt: number | null;
}

/** Records the requests of a site. */
export class VisitLog {
  readonly #visits: SiteVisit[] = [];
  #inFlight = 0;

  /** Starts a visit. The caller must end it. */
  start(path: string, userAgent: string): SiteVisit {
    this.#inFlight++;
    const { length } = this.#visits;
    const visit = { at: Date.now(), path, userAgent, inFlight: this.#inFlight, trap: null, status: 0, endedAt: null };
    this.#visits[length] = visit;
    return visit;
  }

  /** Ends a visit when its connection is closed or its response is sent. */
  end(visit: SiteVisit, { status, isSent }: { status: number; isSent: boolean }): void {
    this.#inFlight--;
    visit.status = status;
    visit.endedAt = isSent ? Date.now() : null;
  }

  get all(): readonly SiteVisit[] {
    return this.#visits;
  }

  /** Returns the number of requests to a path with this query, including requests with a response other than 200. */
  count(path: string): number {
    return this.#visits.filter((visit) => visit.path === path).length;
  }

  /** Returns the number of requests to each trap. */
  countTraps(): Record<string, number> {
    const groups = Map.groupBy(
      this.#visits.filter(({ trap }) => trap !== null),
      ({ trap }) => String(trap),
    );
    return Object.fromEntries([...groups].map(([trap, visits]) => [trap, visits.length]));
  }

  /** Returns the highest number of simultaneous requests. */
  get maxInFlight(): number {
    return this.#visits.reduce((most, { inFlight }) => Math.max(most, inFlight), 0);
  }

  /** Removes all visits that have ended. */
  clear(): void {
    this.#visits.length = 0;
  }
}
