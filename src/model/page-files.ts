import { MAX_SCREENSHOT_BYTES } from "./page-limits";

/** The message for a screenshot that exceeds the limit. */
export const SCREENSHOT_TOO_LARGE = `The screenshot is larger than ${MAX_SCREENSHOT_BYTES} bytes.`;

/** The file formats of screenshots. */
export const SCREENSHOT_TYPES = ["png", "jpeg", "webp"] as const;
export type ScreenshotType = (typeof SCREENSHOT_TYPES)[number];

/** The paper sizes of PDFs. */
export const PAPERS = ["a4", "letter"] as const;
export type Paper = (typeof PAPERS)[number];

interface FileType {
  contentType: string;
  extension: string;
  /** The name of the file format in texts. */
  label: string;
}

export const FILE_TYPES: { [T in ScreenshotType | "pdf"]: FileType } = {
  png: { contentType: "image/png", extension: "png", label: "PNG" },
  jpeg: { contentType: "image/jpeg", extension: "jpg", label: "JPEG" },
  webp: { contentType: "image/webp", extension: "webp", label: "WebP" },
  pdf: { contentType: "application/pdf", extension: "pdf", label: "PDF" },
};

/** Returns the file type of a stored screenshot. A screenshot without a known content type is a PNG. */
export function toScreenshotFile(contentType: string | undefined): FileType {
  const type = SCREENSHOT_TYPES.find((known) => FILE_TYPES[known].contentType === contentType);
  return FILE_TYPES[type ?? "png"];
}
