/** Schema of the configuration file; loaded where there is such a file. */

import { GUARD_RANGES, type GuardLimits, type GuardRange } from "@catalog/runs/guards";
import * as z from "zod";

import { imageConfigSchema } from "./image-settings.ts";
import { limitsSchema } from "./limit-settings.ts";
import type { Config } from "./settings.ts";

const inRange = ({ min, max, isWhole = false }: GuardRange): z.ZodNumber => {
  const number = isWhole ? z.int().min(min) : z.number().min(min);
  return max === undefined ? number : number.max(max);
};

const guardsSchema: z.ZodType<Partial<GuardLimits>> = z.strictObject({
  priceDropPercent: inRange(GUARD_RANGES.priceDropPercent).exactOptional(),
  priceRisePercent: inRange(GUARD_RANGES.priceRisePercent).exactOptional(),
  scalePercent: inRange(GUARD_RANGES.scalePercent).exactOptional(),
  zeroStockPercent: inRange(GUARD_RANGES.zeroStockPercent).exactOptional(),
  zeroStockRows: inRange(GUARD_RANGES.zeroStockRows).exactOptional(),
  fewRowsPercent: inRange(GUARD_RANGES.fewRowsPercent).exactOptional(),
  contentPercent: inRange(GUARD_RANGES.contentPercent).exactOptional(),
  contentRows: inRange(GUARD_RANGES.contentRows).exactOptional(),
});

/** A project may share its file, so that a password belongs into the variable or a `.pgpass`. */
const withoutPassword: z.ZodString = z.string().regex(/^postgres(?:ql)?:\/\/(?:[^:@/]*@)?[^@]*$/iu);

export const configSchema: z.ZodType<Config> = z.strictObject({
  baseUrl: z.string().optional(),
  clientKey: z.string().optional(),
  storeId: z.string().optional(),
  home: z.string().optional(),
  databaseUrl: withoutPassword.optional(),
  lang: z.enum(["tr", "en"]).optional(),
  concurrency: z.union([z.literal("auto"), z.int().min(1)]).optional(),
  requestsPerHour: z.int().min(1).optional(),
  keepDays: z.int().min(1).optional(),
  priceUnit: z.enum(["minor", "major"]).optional(),
  guards: guardsSchema.optional(),
  images: imageConfigSchema.optional(),
  descriptions: z.enum(["html", "text"]).optional(),
  variantTitle: z.string().optional(),
  limits: limitsSchema.optional(),
  versions: z.record(z.string(), z.string()).optional(),
});

/** Names of the settings of the file, or of one of its groups such as `guards`. */
export function listSettings(path: readonly PropertyKey[]): readonly string[] {
  let group: z.core.JSONSchema._JSONSchema | undefined = z.toJSONSchema(configSchema, {
    unrepresentable: "any",
  });
  for (const name of path) {
    group = typeof group === "object" ? group.properties?.[String(name)] : undefined;
  }
  return typeof group === "object" ? Object.keys(group.properties ?? {}) : [];
}
