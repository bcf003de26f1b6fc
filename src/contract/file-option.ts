import { z } from "@hono/zod-openapi";
import { MAX_INLINE_FILE_BYTES, MAX_UPLOAD_BYTES } from "../model/limits";
import { FileContent, toSafeName, type UploadedFile } from "../model/uploaded-file";
import { text } from "./fields";

const MB = 1024 * 1024;
const MAX_TYPE_CHARS = 255;

const TOO_LONG = `must have at most ${MAX_INLINE_FILE_BYTES / MB} MB; send a larger file as multipart/form-data`;

/** The content as base64, or as the route has read it from multipart/form-data. JSON can't contain a FileContent. */
const Content = z
  .custom<string>(
    (value) => typeof value === "string" || value instanceof FileContent,
    "must be the file's bytes as base64",
  )
  .transform((value: unknown, context): FileContent => {
    if (typeof value !== "string") return value as FileContent;
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (value.length > Math.ceil(MAX_INLINE_FILE_BYTES / 3) * 4) return refuse(TOO_LONG);
    try {
      return new FileContent(new Blob([Uint8Array.from(atob(value), (character) => character.charCodeAt(0))]));
    } catch {
      return refuse("must be the file's bytes as base64");
    }
  })
  .openapi({ type: "string", format: "byte", description: "The bytes of the file as base64." });

export const FILE_OPTION = {
  file: z
    .strictObject({
      name: text
        .transform(toSafeName)
        .refine((name) => name !== "", "must be the name of the file, such as report.pdf")
        .openapi({
          description: "The name of the file. If it contains a path, only the last part is kept.",
          example: "report.pdf",
        }),
      content_type: text
        .max(MAX_TYPE_CHARS, `must have at most ${MAX_TYPE_CHARS} characters`)
        .optional()
        .openapi({ description: "The media type. By default, the bytes and the name decide." }),
      base64: Content,
    })
    // The return type has no name, because the client's declarations import no types.
    .transform(
      (
        { name, content_type = "", base64: content },
        context,
      ): { name: string; content_type: string | null; size: number; sha256?: string } => {
        const { size } = content.blob;
        if (size === 0) context.addIssue({ code: "custom", message: "must not be empty" });
        const file: UploadedFile = { name, content_type: content_type === "" ? null : content_type, size, content };
        return file;
      },
    )
    .optional()
    .openapi({
      type: "object",
      description: `A file, instead of \`url\`: a document, HTML or text. In JSON, it can have ${MAX_INLINE_FILE_BYTES / MB} MB. As \`multipart/form-data\`, it can have ${MAX_UPLOAD_BYTES / MB} MB. It is deleted when the job ends.`,
    }),
};

type Context = { addIssue(issue: { code: "custom"; path: (string | number)[]; message: string }): void };
type Fields = Readonly<Record<string, unknown>>;

/** Returns a function that requires exactly one of the fields that give the page. If all are missing, the error names the first. */
export function checkSource(names: readonly [string, ...string[]]) {
  const [usual, ...others] = names;
  const given = (request: Fields) => names.filter((name) => request[name] !== undefined);
  return (request: Fields, context: Context): void => {
    const [first, second] = given(request);
    if (first === undefined) {
      const quoted = others.map((name) => `'${name}'`);
      const list = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
      context.addIssue({ code: "custom", path: [usual], message: `is required, unless ${list} is given` });
    } else if (second !== undefined) {
      const message = `can't be combined with '${second}'; send only one of them`;
      context.addIssue({ code: "custom", path: [first], message });
    }
  };
}

/** Returns a function that refuses the fields that have no effect if the request contains the page in `source`. */
export function checkContained(source: "html" | "file", loadFields: readonly string[]) {
  return (request: Fields & { formats?: readonly string[] | undefined }, context: Context): void => {
    if (request[source] === undefined || request.url !== undefined || request.capture_id !== undefined) return;
    for (const name of [...loadFields, "capture", "max_age"]) {
      if (request[name] === undefined) continue;
      const message = `can't be combined with '${source}', because no page is loaded; use 'url' instead`;
      context.addIssue({ code: "custom", path: [name], message });
    }
    for (const [i, format] of (request.formats ?? []).entries()) {
      if (format !== "screenshot" && format !== "pdf") continue;
      const message = `can't be '${format}' together with '${source}', because this format requires a browser; use 'url' for this format`;
      context.addIssue({ code: "custom", path: ["formats", i], message });
    }
  };
}
