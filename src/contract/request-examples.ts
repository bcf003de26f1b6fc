import examples from "./request-examples.json";

/** The examples of request bodies in the API reference, by operation. A test sends each one to the service. */
export const {
  BATCH_REQUESTS,
  CRAWL_REQUESTS,
  ENDPOINT_CHANGES,
  ENDPOINT_REQUESTS,
  KEY_CHANGES,
  KEY_REQUESTS,
  KEY_ROTATIONS,
  REDELIVERIES_REQUESTS,
  REDELIVERY_REQUESTS,
  WEBHOOK_REQUESTS,
} = examples;
