import { z } from "@hono/zod-openapi";
import { MAX_PRICE, PRICE_NAMES } from "../model/prices";

/** The prices of an account in the admin API and in exports. */
export const OwnPricesSchema = z.partialRecord(z.enum(PRICE_NAMES), z.int().min(0).max(MAX_PRICE));
