// Crawls with crawlee, to compare its speed with the service's. Crawlee isn't a dependency of the project: the bench
// installs it into the folder for temporary files when it first runs.
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGE = "@crawlee/cheerio";
const VERSION = "3.18.1";
const SCRIPT = "crawl.mjs";
// Computed when the module loads, because the bench later changes the folder for temporary files and removes that
// folder when it ends.
const FOLDER = join(tmpdir(), `web-data-extraction-crawlee-${VERSION}`);
// Copied when the module loads, because the bench later changes the certificates that Node.js trusts. npm may need the
// machine's certificates.
const ENVIRONMENT = { ...process.env };

/** Visits the pages and reads the title, the text and the links of each, as a scrape does. */
const CODE = `import { CheerioCrawler, Configuration, log } from "${PACKAGE}";
log.setLevel(log.LEVELS.ERROR);
process.on("message", async ({ start, pages, connections }) => {
  const found = [];
  const configuration = new Configuration({ persistStorage: false, purgeOnStart: true });
  const crawler = new CheerioCrawler({
    minConcurrency: connections,
    maxConcurrency: connections,
    maxRequestsPerCrawl: pages,
    maxRequestRetries: 0,
    requestHandler: async ({ request, $, enqueueLinks }) => {
      found.push({ url: request.loadedUrl, title: $("title").text(), text: $("main").text() });
      if (start.length === 1) await enqueueLinks();
    },
  }, configuration);
  const began = performance.now();
  await crawler.run(start);
  process.send({ seconds: (performance.now() - began) / 1_000, pages: found.length });
});
process.send("ready");
`;

interface CrawleeRun {
  /** With one URL, crawlee follows the links of the pages. */
  start: string[];
  /** The number of pages that must be visited. */
  pages: number;
  connections: number;
}

/** Starts crawlee in its own process. Each run returns the time in seconds. */
export function startCrawlee(): { run: (options: CrawleeRun) => Promise<number>; stop: () => void } {
  const folder = install();
  // Crawlee keeps the state of a finished run in its process, so each run starts a new process.
  let child: ChildProcess | null = null;
  const stop = () => void child?.kill();
  return {
    stop,
    run: async (options) => {
      child = fork(join(folder, SCRIPT), { cwd: folder, execArgv: [] });
      try {
        await receive(child);
        const result = receive(child);
        child.send(options);
        const { seconds, pages } = (await result) as { seconds: number; pages: number };
        if (pages !== options.pages) throw new Error(`crawlee visited ${pages} pages instead of ${options.pages}.`);
        return seconds;
      } finally {
        stop();
      }
    },
  };
}

async function receive(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error("crawlee exited before the end of its run.");
    }),
  ]);
  return message;
}

/** Installs crawlee outside of the project if it isn't installed there. Returns the folder. */
function install(): string {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, SCRIPT), CODE);
  if (existsSync(join(FOLDER, "node_modules", PACKAGE, "package.json"))) return FOLDER;
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["--save-exact", "--no-audit", "--no-fund", "--ignore-scripts"];
  execFileSync("npm", ["install", ...options, `${PACKAGE}@${VERSION}`], {
    cwd: FOLDER,
    env: ENVIRONMENT,
    stdio: "inherit",
  });
  return FOLDER;
}
