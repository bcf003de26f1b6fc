import { addHistogram, toPercentile } from "../account/credits/histogram";
import { causeOf, type ErrorCause } from "../model/errors";
import { type Counts, fromJobCount } from "../model/service-counts";

/** The jobs that ended with one outcome or error code. `cause` is null for outcomes of completed jobs. */
export interface CodeFigures {
  code: string;
  cause: ErrorCause | null;
  jobs: number;
  endpoints: string[];
}

interface EndpointFigures {
  endpoint: string;
  jobs: number;
  failed: number;
  /** Percentiles of the duration (ms) of completed jobs. Null if no job completed. */
  p50: number | null;
  p95: number | null;
}

/** The figures of a range of time. */
export interface Figures {
  jobs: number;
  failed: number;
  causes: Record<ErrorCause, number>;
  /** The failed jobs by error code. The most frequent code comes first. */
  codes: CodeFigures[];
  endpoints: EndpointFigures[];
  abandoned: number;
}

export function toFigures(counts: Counts): Figures {
  const codes = new Map<string, CodeFigures>();
  const endpoints = new Map<string, EndpointFigures & { durations: Record<string, number> }>();
  for (const [name, count] of Object.entries(counts)) {
    const job = fromJobCount(name);
    if (job === null) continue;
    const { endpoint, code, bucket } = job;
    const cause = causeOf(code, endpoint);
    const sum = endpoints.get(endpoint) ?? { endpoint, jobs: 0, failed: 0, p50: null, p95: null, durations: {} };
    sum.jobs += count;
    if (cause === null) addHistogram(sum.durations, { [bucket]: count });
    else {
      sum.failed += count;
      const known = codes.get(`${cause}/${code}`) ?? { code, cause, jobs: 0, endpoints: [] };
      known.jobs += count;
      if (!known.endpoints.includes(endpoint)) known.endpoints.push(endpoint);
      codes.set(`${cause}/${code}`, known);
    }
    endpoints.set(endpoint, sum);
  }
  const found = [...endpoints.values()].map(({ durations, ...sum }) => ({
    ...sum,
    p50: toPercentile(durations, 0.5),
    p95: toPercentile(durations, 0.95),
  }));
  const causes = { service: 0, outside: 0, target: 0, customer: 0 };
  for (const { cause, jobs } of codes.values()) if (cause !== null) causes[cause] += jobs;
  const sum = (pick: (of: EndpointFigures) => number) => found.reduce((total, of) => total + pick(of), 0);
  return {
    jobs: sum(({ jobs }) => jobs),
    failed: sum(({ failed }) => failed),
    causes,
    codes: [...codes.values()].sort((a, b) => b.jobs - a.jobs || (a.code < b.code ? -1 : 1)),
    endpoints: found.sort((a, b) => b.jobs - a.jobs || (a.endpoint < b.endpoint ? -1 : 1)),
    abandoned: counts["deliveries/abandoned"] ?? 0,
  };
}
