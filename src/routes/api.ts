import { createRouter } from "../http/router";
import { batches } from "./batch";
import { crawls } from "./crawl";
import { endpoints } from "./extraction";
import { health, serpHealth } from "./health";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { schemas } from "./schemas";
import { pdfs, screenshots } from "./screenshots";
import { usage } from "./usage";
import { webhookDeliveries } from "./webhook-deliveries";
import { webhookEndpoints } from "./webhook-endpoints";
import { webhooks } from "./webhooks";

/** All operations of the API. The OpenAPI document is generated from these routes. */
export const api = createRouter();

api.route("/v1", endpoints);
api.route("/v1", batches);
api.route("/v1", crawls);
api.route("/v1", jobs);
api.route("/v1", keys);
api.route("/v1", schemas);
api.route("/v1", serpHealth);
api.route("/v1", usage);
api.route("/v1", webhooks);
api.route("/v1", webhookEndpoints);
api.route("/v1", webhookDeliveries);
api.route("/screenshots", screenshots);
api.route("/pdfs", pdfs);
api.route("/health", health);
