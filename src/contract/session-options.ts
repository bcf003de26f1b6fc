import { z } from "@hono/zod-openapi";
import { MAX_COOKIES, MAX_USER_AGENT_CHARS } from "../model/limits";
import { nonEmptyText, text } from "./fields";

const RequestCookie = z.strictObject({
  name: text,
  value: text,
  domain: text.optional().openapi({
    description:
      "The cookie is sent to this domain and its subdomains. The domain must belong to the site of `url`. By default, the cookie is sent only to the host of `url`.",
    example: "example.com",
  }),
  path: text.optional().openapi({ description: "The default is `/`." }),
  secure: z.boolean().optional().openapi({
    description: "If true, the cookie is sent only over https. The default is true if `url` is an https URL.",
  }),
});
export type RequestCookie = z.infer<typeof RequestCookie>;

const TOO_MANY = `must have at most ${MAX_COOKIES} cookies`;

/** A list of cookies, or an object with names and values, which is converted to a list. */
const RequestCookies = z
  .union(
    [
      z.array(RequestCookie).max(MAX_COOKIES, TOO_MANY),
      z.record(text, text).refine((map) => Object.keys(map).length <= MAX_COOKIES, TOO_MANY),
    ],
    { error: 'must be a list such as [{"name": "session", "value": "abc"}], or an object such as {"session": "abc"}' },
  )
  .transform((cookies): RequestCookie[] =>
    Array.isArray(cookies) ? cookies : Object.entries(cookies).map(([name, value]) => ({ name, value })),
  );

/** The fields for requesting a page behind a sign-in. */
export const SESSION_OPTIONS = {
  headers: z
    .record(text, text)
    .optional()
    .openapi({
      description:
        "Headers for the site of `url`. They are never sent to other sites. The values are stored encrypted and deleted when the job ends.",
      example: { "X-Api-Key": "example" },
    }),
  cookies: RequestCookies.optional().openapi({
    description:
      "Cookies for the site of `url`, as a list or as an object with names and values. The values are stored encrypted and deleted when the job ends.",
    example: { session: "example" },
  }),
  user_agent: nonEmptyText(MAX_USER_AGENT_CHARS)
    .optional()
    .openapi({ description: "The `User-Agent` of all requests. A rendered page also sees it in the browser." }),
  basic_auth: z
    .strictObject({ username: text, password: text })
    .optional()
    .openapi({
      description:
        "The user name and password for HTTP Basic authentication. They are sent with each request to the site of `url`, and never to other sites. They are stored encrypted and deleted when the job ends.",
      example: { username: "ada", password: "example" },
    }),
};
