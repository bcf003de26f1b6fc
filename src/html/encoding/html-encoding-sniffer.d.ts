declare module "html-encoding-sniffer" {
  /** Returns the name of the declared encoding, or `defaultEncoding`. */
  export default function sniffHtmlEncoding(
    bytes: Uint8Array,
    options: { transportLayerEncodingLabel?: string; defaultEncoding: string },
  ): string;
}
