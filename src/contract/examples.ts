import { EXAMPLE_ORIGIN, toErrorRecord } from "./error-codes";
import examples from "./examples.json";
import requests from "./request-examples.json";

/** The examples of request bodies in the API reference, by operation. A test sends each one to the service. */
export const REQUEST_EXAMPLES = requests;

/** The examples of responses and events in the API reference. Errors get their hint and the URL of their description. */
export const EXAMPLES: typeof examples = JSON.parse(JSON.stringify(examples), (name, value) =>
  name === "error" && value !== null ? toErrorRecord(value, EXAMPLE_ORIGIN) : value,
);
