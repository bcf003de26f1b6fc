import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What waits for the platform's own time-outs: begun last, it would end alone. */
const LONGEST = ["test/hostile/hostile.test.ts", "test/e2e/product.test.ts", "test/webhooks/deliveries.test.ts"];

/** Then by project: a runtime that files share goes on as long as the next file is one of them. */
const PROJECTS = ["start", "worker", "pure"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONGEST.length + PROJECTS.indexOf(project.name) : place;
}
