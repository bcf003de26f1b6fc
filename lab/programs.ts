export interface Program {
  /** The question that the program answers. */
  answers: string;
  /** The arguments of Node.js. Paths are relative to the project. */
  node: readonly string[];
  /** Environment variables that apply if the caller doesn't set them. */
  environment?: Readonly<Record<string, string>>;
}

const VITEST = ["node_modules/vitest/vitest.mjs", "run"];
const FUZZ_SEED = String(Date.now() % 1_000_000_000);

/** The programs of each npm script, by name. lab/README.md describes them. */
export const PROGRAMS: Readonly<Record<"lab" | "eval", Readonly<Record<string, Program>>>> = {
  lab: {
    bench: { answers: "How fast is the service?", node: ["lab/bench.ts"] },
    "serp-page": { answers: "What is read from a stored result page? Makes a test of it.", node: ["lab/serp-page.ts"] },
    pages: { answers: "How fast do the pages of the dashboard load?", node: ["lab/pages.ts"] },
    memory: { answers: "How much memory do large pages need?", node: ["lab/memory.ts"] },
    "memory-map": {
      answers: "How much memory do the sitemaps of a map need?",
      node: ["--expose-gc", "lab/memory-map.ts"],
    },
    "memory-start": { answers: "How much memory does npm start need?", node: ["lab/memory-start.ts"] },
    count: { answers: "How many platform calls does a job make?", node: ["lab/simulate/count.ts"] },
    saturate: { answers: "What is the maximum load of one account?", node: ["lab/simulate/saturate.ts"] },
    simulate: {
      answers: "Which limits does a given load reach, and what does it cost?",
      node: ["lab/simulate.ts"],
    },
    chaos: { answers: "Does every job survive kills of the service?", node: ["lab/chaos.ts"] },
    "chaos-pages": { answers: "Do crawls and batches survive kills of the service?", node: ["lab/chaos-pages.ts"] },
    drill: { answers: "Do a restore, a rotation of the keys and an erasure work?", node: ["lab/drill.ts"] },
    hostile: {
      answers: "Which pages of the hostile test site does the service handle?",
      node: [...VITEST, "--project", "worker*", "test/hostile/hostile", "test/hostile/plain", "test/hostile/recovery"],
      environment: { HOSTILE_TABLE: "docs/evidence/hostile-web.md" },
    },
    fuzz: {
      answers: "Do generated pages, responses and URLs break the code?",
      node: [...VITEST, "--project", "worker*", "--silent=false", "test/hostile/fuzz"],
      environment: { FUZZ_SECONDS: "60", FUZZ_SEED },
    },
    "large-inputs": {
      answers: "How much CPU time do the largest hostile pages need?",
      node: ["--max-old-space-size=6000", "lab/large-inputs.ts"],
    },
    "large-files": {
      answers: "How much CPU time do the largest hostile documents, sitemaps and crawls need?",
      node: ["--max-old-space-size=6000", "lab/large-files.ts"],
    },
    "fuzz-api": {
      answers: "Do generated requests get responses that the OpenAPI document describes?",
      node: [...VITEST, "--project", "worker*", "--silent=false", "test/routes/fuzz"],
      environment: { FUZZ_REQUESTS: "10000", FUZZ_SEED },
    },
    "parse-tree": {
      answers: "Does the HTML parser read the same text as parse5?",
      node: [...VITEST, "--project", "pure", "test/html/parse/parse5"],
      environment: { ALL_PAGES: "1" },
    },
    train: {
      answers: "Which weights find the main content best?",
      node: ["--max-old-space-size=12000", "lab/train.ts"],
    },
  },
  eval: {
    extract: { answers: "How well is the main content of pages converted?", node: ["lab/eval-extract.ts"] },
    metadata: { answers: "How often are the title, author and date right?", node: ["lab/eval-metadata.ts"] },
    parse: { answers: "How often are answers from the pages' own data right?", node: ["lab/eval-parse.ts"] },
    passages: { answers: "How often is the answer to a question in a passage?", node: ["lab/eval-passages.ts"] },
    outcome: { answers: "How often is meta.outcome right?", node: ["lab/eval-outcome.ts"] },
    serp: { answers: "How well are search result pages parsed?", node: ["lab/eval-serp.ts"] },
  },
};
