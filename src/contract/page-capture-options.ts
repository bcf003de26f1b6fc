import { z } from "@hono/zod-openapi";
import { CAPTURE_MAX_AGE_S } from "../model/limits";
import { integer, nonEmptyText, text, time } from "./fields";

const MAX_ID_CHARS = 100;

/** The fields that keep the loaded page as a capture, or use a capture that was kept before. */
export const PAGE_CAPTURE_OPTIONS = {
  capture: z.boolean().optional().openapi({
    description:
      "If true, the page is kept as it was loaded, and deleted together with the result. `meta.capture_id` identifies it. If false, the page isn't kept, even if the account keeps captures by default or `max_age` is set. Pages over 5 MB are never kept.",
  }),
  max_age: integer(0, CAPTURE_MAX_AGE_S, "seconds").optional().openapi({
    description:
      "The maximum age of a capture, in seconds. If the account has a capture of the URL with the same options and at most this age, the service uses it and doesn't request the page. Otherwise, it loads and keeps the page. With the default 0, and with the format `screenshot` or `pdf`, it always loads the page.",
    example: 3600,
  }),
  capture_id: nonEmptyText(MAX_ID_CHARS).optional().openapi({
    description: "The capture to use, instead of `url`. It is the `meta.capture_id` of an earlier job.",
    example: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
  }),
};

/** The field that limits how long the result is kept. */
export const STORE_OPTION = {
  store: z.boolean().optional().openapi({
    description:
      "If false, the request isn't stored, and the result is deleted after it was read: by the response, by the first `GET /v1/jobs/{id}`, or by the webhook. A result that wasn't read is deleted one hour after the end of the job.",
  }),
};

export const PAGE_CAPTURE_META = {
  capture_id: text.optional().openapi({ description: "The capture that was used or kept. Omitted if there is none." }),
  captured_at: time.optional().openapi({ description: "The time at which the page of the capture was loaded." }),
};

interface CaptureFields extends z.infer<z.ZodObject<typeof PAGE_CAPTURE_OPTIONS & typeof STORE_OPTION>> {
  formats?: readonly string[] | undefined;
  headers?: object | undefined;
  cookies?: readonly unknown[] | undefined;
  basic_auth?: object | undefined;
  actions?: readonly { type: string }[] | undefined;
}

type Refine = { addIssue(issue: { code: "custom"; path: (string | number)[]; message: string }): void };

/** The formats that only a browser with the page can create. */
const FILE_FORMATS = ["screenshot", "pdf"];

/**
 * Returns the request's fields that prevent captures. With such a field, no capture is kept or used. Headers, cookies
 * and credentials may load the page of one user, and actions may change the page.
 */
export function findPrivateFields({ headers, cookies, basic_auth, actions }: CaptureFields): string[] {
  return [
    ...(Object.keys(headers ?? {}).length > 0 ? ["headers"] : []),
    ...((cookies ?? []).length > 0 ? ["cookies"] : []),
    ...(basic_auth !== undefined ? ["basic_auth"] : []),
    ...((actions ?? []).length > 0 ? ["actions"] : []),
  ];
}

/** Returns a function that checks the fields of captures. `loadFields` are the others that affect the loading. */
export function checkPageCapture(loadFields: readonly string[]) {
  return (request: CaptureFields, context: Refine): void => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const { capture_id, capture, max_age = 0, store, formats = [], actions = [] } = request;
    if (capture_id !== undefined) checkReplay(request, loadFields, refuse);
    const [hidden] = findPrivateFields(request);
    if (hidden !== undefined && capture_id === undefined) {
      const reason = hidden === "actions" ? "actions may change the page" : "the page may belong to one user";
      if (capture === true)
        refuse(["capture"], `can't be combined with '${hidden}', because ${reason}; remove one of the two`);
      if (max_age > 0)
        refuse(["max_age"], `can't be combined with '${hidden}', because ${reason}; remove one of the two`);
    }
    if (store !== false) return;
    if (capture === true)
      refuse(
        ["capture"],
        "can't be combined with 'store: false', because then nothing is stored; remove one of the two",
      );
    const linked = formats.findIndex((format) => FILE_FORMATS.includes(format));
    const reason = "because its file must be stored; remove one of the two";
    if (linked >= 0) refuse(["formats", linked], `can't be '${formats[linked]}' with 'store: false', ${reason}`);
    const shot = actions.findIndex(({ type }) => type === "screenshot");
    if (shot >= 0) refuse(["actions", shot, "type"], `can't be 'screenshot' with 'store: false', ${reason}`);
  };
}

/** Refuses the fields that have no effect if the page comes from a capture. */
function checkReplay(
  request: CaptureFields,
  loadFields: readonly string[],
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const values = request as Readonly<Record<string, unknown>>;
  for (const name of loadFields) {
    if (values[name] === undefined) continue;
    refuse(
      [name],
      "can't be combined with 'capture_id', because the page was loaded with the options of the first job",
    );
  }
  if (request.capture !== undefined)
    refuse(["capture"], "can't be combined with 'capture_id', because then no page is loaded");
  if (request.max_age !== undefined)
    refuse(["max_age"], "can't be combined with 'capture_id', which selects the capture; remove one of the two");
  for (const [i, format] of (request.formats ?? []).entries()) {
    if (!FILE_FORMATS.includes(format)) continue;
    const reason = "because this format requires a browser; use 'url' for this format";
    refuse(["formats", i], `can't be '${format}' together with 'capture_id', ${reason}`);
  }
}
