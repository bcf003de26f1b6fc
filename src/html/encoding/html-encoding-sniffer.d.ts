declare module "html-encoding-sniffer" {
  /**
   * Returns the encoding from the byte order mark, the HTTP header or the markup. Returns `defaultEncoding` if none of
   * them declares one.
   */
  export default function sniffHtmlEncoding(
    bytes: Uint8Array,
    options: { transportLayerEncodingLabel?: string; defaultEncoding: string },
  ): string;
}
