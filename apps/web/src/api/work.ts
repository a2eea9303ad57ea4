/** The other work of a store: exports, rules, templates, settings. */

import { type GuardLimits, GUARDS } from "@catalog/runs/guards";
import { z } from "zod";

import type { Problem } from "./session.ts";

/** What can be exported. */
export const EXPORT_KINDS = ["products", "comments", "orders", "questions", "payments"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** A filter of an export: a choice, a text, a day, a number, or yes. */
interface ExportFilterView {
  /** Key of the request. */
  readonly key: string;
  readonly label: string;
  readonly type: "choice" | "text" | "day" | "number" | "yes";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** What no choice means; `null` where the first choice holds then. */
  readonly empty: string | null;
}

export interface ExportKindView {
  readonly kind: ExportKind;
  readonly label: string;
  readonly filters: readonly ExportFilterView[];
  readonly columns: readonly ExportColumnView[];
}

/** A column that can be chosen; a further one only where all that the store gives is exported. */
export interface ExportColumnView {
  readonly key: string;
  readonly label: string;
  readonly isFurther: boolean;
}

export interface ExportView {
  readonly id: string;
  readonly kind: ExportKind;
  /** Name of the file for the person. */
  readonly name: string;
  /** The kind and its filters in words. */
  readonly text: string;
  readonly createdAt: string;
  readonly state: "running" | "done" | "failed";
  readonly bytes: number | null;
  readonly rows: number | null;
  /** What a person should know of the file, as sentences. */
  readonly notes: readonly string[];
  readonly problem: Problem | null;
}

export interface ExportBody {
  readonly kind: ExportKind;
  readonly format: "xlsx" | "csv" | "jsonl";
  readonly filters: Readonly<Record<string, string>>;
  /** Keys of columns, in their order; none means all. */
  readonly columns: readonly string[];
}

export const exportBody: z.ZodType<ExportBody> = z.object({
  kind: z.enum(EXPORT_KINDS),
  format: z.enum(["xlsx", "csv", "jsonl"]),
  filters: z.record(z.string().max(40), z.string().max(500)),
  columns: z.array(z.string().max(100)).max(200),
});

export interface RulesView {
  /** Fields whose names can be remembered. */
  readonly fields: readonly { readonly field: string; readonly label: string }[];
  readonly names: readonly RuleView[];
  /** Columns and decimal signs that accepted files have taught. */
  readonly files: readonly RememberedView[];
  readonly defaults: readonly {
    readonly field: string;
    readonly label: string;
    readonly value: string;
  }[];
  /** Columns of files, by the names that people gave them. */
  readonly profiles: readonly ProfileView[];
  readonly prices: PriceRulesView;
}

interface ProfileView {
  readonly name: string;
  /** How many columns it knows. */
  readonly columns: number;
  readonly isShared: boolean;
}

/** What holds in all stores of the marketplace, or in this one only again. */
export type ShareBody =
  | { readonly kind: "name"; readonly field: string; readonly value: string }
  | { readonly kind: "prices" }
  | { readonly kind: "profile"; readonly name: string };

const MAX_RULE_TEXT = 2_000;

export const shareBody: z.ZodType<ShareBody> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("name"),
    field: z.string().min(1).max(MAX_RULE_TEXT),
    value: z.string().min(1).max(MAX_RULE_TEXT),
  }),
  z.strictObject({ kind: z.literal("prices") }),
  z.strictObject({ kind: z.literal("profile"), name: z.string().min(1).max(200) }),
]);

/** The price rules of the store, in words. */
export interface PriceRulesView {
  /** 0 before the first rules. */
  readonly version: number;
  /** Whether they are those of all stores, as this one has none of its own. */
  readonly isShared: boolean;
  readonly rules: readonly {
    readonly name: string;
    /** Which products it is for. */
    readonly products: string;
    readonly does: string;
  }[];
  /** Products whose cost is known. */
  readonly costs: number;
}

/** A try of the price rules on a file; amounts as people write them. */
export interface TriedRulesView {
  readonly total: number;
  readonly ruled: number;
  readonly belowCost: number;
  /** Rows whose rule is not certain. */
  readonly left: number;
  /** What the rules lack in the file. */
  readonly notes: readonly string[];
  readonly rows: readonly {
    readonly row: number;
    readonly code: string;
    readonly before: string;
    readonly after: string;
    readonly rules: readonly string[];
    readonly isHeld: boolean;
  }[];
}

export interface RuleView {
  readonly field: string;
  readonly label: string;
  /** The text of files. */
  readonly value: string;
  readonly target: string;
  /** Whether it holds in all stores that have no rule of their own for the text. */
  readonly isShared: boolean;
}

interface RememberedView {
  readonly id: string;
  readonly kind: "columns" | "decimals";
  readonly file: string | null;
  readonly entries: readonly { readonly header: string; readonly text: string }[];
}

export interface TemplateBody {
  readonly kind: "products" | "stock-price";
  /** Names, paths or ids. */
  readonly categories: readonly string[];
}

export const templateBody: z.ZodType<TemplateBody> = z.object({
  kind: z.enum(["products", "stock-price"]),
  categories: z.array(z.string().min(1).max(500)).max(20),
});

/** A file that was made for the page, downloaded from `/api/files/ID/NAME`. */
export interface MadeFile {
  readonly id: string;
  readonly name: string;
}

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
  /** Name that a person has given to the store; `null` where it has none. */
  readonly name: string | null;
  readonly baseUrl: string;
  readonly storeId: string;
  /** Folder of the database. */
  readonly home: string;
  readonly priceUnit: PriceUnitView;
  /** At most this many calls an hour; `null` where no limit is known. */
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

const limitName = z.custom<keyof GuardLimits>(
  (name) => typeof name === "string" && GUARDS.isLimit(name),
);

export const limitsBody: z.ZodType<LimitsBody> = z.object({
  guards: z.record(limitName, z.number()),
  callsPerHour: z.number().nullable(),
});

export interface PriceUnitBody {
  readonly unit: "minor" | "major" | null;
}

export const priceUnitBody: z.ZodType<PriceUnitBody> = z.object({
  unit: z.enum(["minor", "major"]).nullable(),
});

/** Kinds of channels by which alerts are told. */
export const ALERT_KINDS = ["telegram", "email", "slack", "webhook"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** A channel of alerts and how it fares. Its secret is not shown. */
export interface AlertChannelView {
  readonly name: string;
  readonly kind: AlertKind;
  /** What may be shown of its address. */
  readonly place: string;
  /** Hours without messages. */
  readonly quiet: string | null;
  readonly health: "working" | "untried" | "failing" | "stuck";
  readonly arrivedAt: string | null;
  readonly failedAt: string | null;
  /** Why the latest message did not arrive. */
  readonly failure: string | null;
}

export interface AlertBody {
  readonly kind: AlertKind;
  readonly name: string;
  /** Address of a webhook, token of a bot, password of a mail server. */
  readonly secret: string;
  readonly chat: string;
  readonly smtp: string;
  readonly user: string;
  readonly to: string;
  readonly quiet: string;
}

const alertText = z.string().trim().max(500);

export const alertBody: z.ZodType<AlertBody> = z.object({
  kind: z.enum(ALERT_KINDS),
  name: alertText,
  secret: z.string().max(2_000),
  chat: alertText,
  smtp: alertText,
  user: alertText,
  to: alertText,
  quiet: alertText,
});

/** Names a channel. */
export interface AlertNameBody {
  readonly name: string;
}

export const alertNameBody: z.ZodType<AlertNameBody> = z.object({ name: alertText });
