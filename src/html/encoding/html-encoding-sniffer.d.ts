declare module "html-encoding-sniffer" {
  /** Returns the encoding of the byte order mark, the HTTP header or the markup, or else `defaultEncoding`. */
  export default function sniffHtmlEncoding(
    bytes: Uint8Array,
    options: { transportLayerEncodingLabel?: string; defaultEncoding: string },
  ): string;
}
