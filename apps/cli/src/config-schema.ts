/** What a configuration file may say, as a schema; loaded where there is such a file. */

import * as z from "zod";

import { pictureConfigSchema } from "./picture-settings.ts";
import { type Config } from "./settings.ts";

export const configSchema: z.ZodType<Config> = z.strictObject({
  baseUrl: z.string().optional(),
  clientKey: z.string().optional(),
  storeId: z.string().optional(),
  home: z.string().optional(),
  lang: z.enum(["tr", "en"]).optional(),
  concurrency: z.int().min(1).optional(),
  requestsPerHour: z.int().min(1).optional(),
  images: pictureConfigSchema.optional(),
  versions: z.record(z.string(), z.string()).optional(),
});
