import { expect, it } from "vitest";
import { ExtractionError, toJobError, withJob } from "../../clients/typescript/src/errors";
import { ERRORS } from "../../src/model/errors";

it.each(Object.entries(ERRORS).map(([code, entry]): [string, boolean] => [code, "retryable" in entry]))(
  "the error %s of a job is retryable: %s",
  (code, retryable) => {
    expect(toJobError({ code, message: "Why." }, "job-1")).toMatchObject({
      ...{ code, message: "Why.", retryable, jobId: "job-1", status: null },
    });
  },
);

it("an unknown error of a job isn't retryable", () => {
  for (const code of ["a_new_code", "toString"])
    expect(toJobError({ code, message: "" }, "job-1").retryable).toBe(false);
});

it("a job's id is added to a copy of an error", () => {
  const cause = new Error("The cause.");
  const error = new ExtractionError("unavailable", "Why.", { status: 503, retryable: true, retryAfterMs: 5, cause });
  expect(withJob(error, "job-1")).toMatchObject({
    ...{ code: "unavailable", message: "Why.", status: 503, retryable: true, retryAfterMs: 5, jobId: "job-1", cause },
  });
  expect(error.jobId).toBeNull();
  expect(withJob(cause, "job-1")).toBe(cause);
});
