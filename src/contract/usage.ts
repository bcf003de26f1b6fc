import { z } from "@hono/zod-openapi";
import { Endpoint } from "./common";

export const Usage = z
  .object({
    success: z.literal(true),
    data: z.object({
      balance: z.number().int().openapi({ description: "Credits that can be spent." }),
      reserved: z.number().int().openapi({ description: "Credits of jobs that haven't ended." }),
      period: z.object({
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        granted: z.number().int(),
        used: z.number().int(),
      }),
      days: z.array(
        z.object({
          date: z.iso.date(),
          endpoint: Endpoint,
          requests: z.number().int(),
          credits: z.number().int(),
        }),
      ),
    }),
  })
  .openapi("Usage");
