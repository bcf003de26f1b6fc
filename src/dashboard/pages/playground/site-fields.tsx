import { MAX_URL_CHARS } from "../../../model/limits";
import { SelectField, TextField } from "../../ui/form";
import type { FieldsProps } from "./optional-fields";

type SiteFieldProps = Pick<FieldsProps, "values" | "errors">;

/** The field for the URL of a page. */
export function UrlField({
  values,
  errors,
  required = true,
  placeholder = "https://example.com/",
  hint,
}: SiteFieldProps & { required?: boolean; placeholder?: string; hint?: string }) {
  return (
    <TextField
      name="url"
      value={values.get("url") ?? ""}
      errors={errors}
      label="URL"
      inputmode="url"
      required={required}
      maxlength={MAX_URL_CHARS}
      placeholder={placeholder}
      hint={hint}
    />
  );
}

/** The field that selects if the URLs of the site's sitemaps are used. */
export function SitemapField({ values, errors }: SiteFieldProps) {
  return (
    <SelectField
      name="sitemap"
      value={values.get("sitemap") ?? ""}
      errors={errors}
      label="Sitemaps"
      options={[
        ["include", "Include"],
        ["skip", "Skip"],
        ["only", "Only sitemaps"],
      ]}
    />
  );
}
