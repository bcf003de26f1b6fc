import type { Endpoint } from "../model/endpoint";
import { runMock as runMapMock } from "./map/mock";
import { runMap } from "./map/run-map";
import { runMock as runParseMock } from "./parse/mock";
import { runParse } from "./parse/run-parse";
import { runMock as runScrapeMock } from "./scrape/mock";
import { runScrape } from "./scrape/run-scrape";
import { runMock as runSerpMock } from "./serp/mock";
import { runSerp } from "./serp/run-serp";
import type { EndpointRuns } from "./shared/definition";

/** The runs of all endpoints. Only an isolate that runs a job loads this module. */
export const RUNS: { [E in Endpoint]: EndpointRuns<E> } = {
  scrape: { run: runScrape, mock: runScrapeMock },
  parse: { run: runParse, mock: runParseMock },
  serp: { run: runSerp, mock: runSerpMock },
  map: { run: runMap, mock: runMapMock },
};
