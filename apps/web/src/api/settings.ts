/** The settings of a store. */

import type { GuardLimits } from "@catalog/runs/guards";
import { z } from "zod";

/** One check of the installation, of `catalog doctor`. */
export interface CheckView {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail" | "skip";
  readonly message: string;
  readonly fix: string | null;
}

/** A limit of a guard; one from the settings file cannot be changed on the page. */
export interface GuardLimitView {
  readonly name: keyof GuardLimits;
  readonly label: string;
  readonly value: number;
  readonly default: number;
  readonly source: "default" | "saved" | "file";
  readonly min: number;
  readonly max: number | null;
}

/** Unit of the store's prices, and how it is known. */
export interface PriceUnitView {
  readonly unit: "minor" | "major" | null;
  readonly source: "unknown" | "person" | "sent" | "file";
}

export interface SettingsView {
  readonly baseUrl: string;
  readonly storeId: string;
  /** Folder of the database. */
  readonly home: string;
  readonly priceUnit: PriceUnitView;
  /** At most so many calls an hour; `null` where no limit is known. */
  readonly callsPerHour: {
    readonly value: number | null;
    readonly source: "default" | "learned" | "saved" | "file";
  };
  readonly guards: readonly GuardLimitView[];
}

/** The limits to save; one that is left out has its default, and calls an hour are learnt. */
export interface LimitsBody {
  readonly guards: Partial<Record<keyof GuardLimits, number>>;
  readonly callsPerHour: number | null;
}

const guardName = z.enum([
  "priceDropPercent",
  "priceRisePercent",
  "scalePercent",
  "zeroStockPercent",
  "zeroStockRows",
  "fewRowsPercent",
  "contentPercent",
  "contentRows",
] satisfies readonly (keyof GuardLimits)[]);

export const limitsBody: z.ZodType<LimitsBody> = z.object({
  guards: z.partialRecord(guardName, z.number()),
  callsPerHour: z.number().nullable(),
});

export interface PriceUnitBody {
  readonly unit: "minor" | "major" | null;
}

export const priceUnitBody: z.ZodType<PriceUnitBody> = z.object({
  unit: z.enum(["minor", "major"]).nullable(),
});
