/** The labels that a caller gives a job. The service doesn't interpret them. */
export interface Labels {
  tags: string[];
  metadata: Record<string, LabelValue>;
}

export type LabelValue = string | number | boolean;

/** The fields of a request with its labels. */
export type LabelFields = { [Field in keyof Labels]?: Labels[Field] | undefined };

/** Returns the labels of a request, or null if it has none. */
export function labelsOf({ tags = [], metadata = {} }: LabelFields): Labels | null {
  return tags.length === 0 && Object.keys(metadata).length === 0 ? null : { tags, metadata };
}

/** Returns the labels as records and webhook events show them. Omits a field without entries. */
export function toShownLabels(labels: Labels | null): Partial<Labels> {
  if (labels === null) return {};
  const { tags, metadata } = labels;
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(tags.length > 0 && { tags }),
  };
}
