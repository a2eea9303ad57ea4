/** The marketplace's filters as flags: which listing accepts which, and the format of its value. */

import { type FlagDefinition, type Flags, UsageError } from "@catalog/console";
import type { ExportKind } from "@catalog/exporter/kinds";
import { parseTypedTimestamp } from "@catalog/exporter/timestamps";

import { OUTPUT_FLAGS } from "./flags.ts";

/** A listing; the comments of the whole store have one of their own. */
export type Listing = ExportKind | "store-comments";

/** How a flag's value is converted to the value of a query field. */
type Reading = "start" | "end" | "text" | "list" | "number" | "switch";

interface Filter {
  readonly flag: string;
  /** Name of the query field. */
  readonly field: string;
  readonly reading: Reading;
  readonly listings: readonly Listing[];
  readonly describe: FlagDefinition["describe"];
}

const COMMENTS = ["comments", "store-comments"] as const;
const DATED = ["products", "orders", "questions", "payments", ...COMMENTS] as const;

const PAYMENT_AMOUNTS = ["store_payout", "shipping_price", "total_paid_price"].flatMap(
  (field): readonly Filter[] =>
    ["", "min_", "max_"].map((bound) => {
      const name = `${bound}${field}`;
      const flag = name.replaceAll("_", "-");
      const describe = { tr: `Ödemeler: ${name}`, en: `Payments: ${name}` };
      return { flag, field: name, reading: "number", listings: ["payments"], describe };
    }),
);

const filter = (
  [flag, field, reading]: readonly [flag: string, field: string, reading: Reading],
  listings: readonly Listing[],
  [tr, en]: readonly [tr: string, en: string],
): Filter => ({ flag, field, reading, listings, describe: { tr, en } });

const FILTERS: readonly Filter[] = [
  filter(["start-date", "start_date", "start"], DATED, [
    "Bu andan sonrakiler: 2026-01-31 ya da 2026-01-31T09:30 (Türkiye saati)",
    "After this moment: 2026-01-31 or 2026-01-31T09:30 (time of Türkiye)",
  ]),
  filter(["end-date", "end_date", "end"], DATED, [
    "Bu ana kadarkiler; saatsiz bir gün, sonuna kadar sayılır",
    "Up to this moment; a day without a time counts to its end",
  ]),
  filter(
    ["date", "date_created", "start"],
    [...COMMENTS, "payments"],
    ["Bu günün kayıtları", "Records of this day"],
  ),
  filter(
    ["ids", "ids", "list"],
    ["products", "payments"],
    ["Kimlikler, virgülle", "Ids, with commas"],
  ),
  filter(["code", "product_code", "text"], ["products"], ["Ürün kodu", "Product code"]),
  filter(["title", "title", "text"], ["products", "questions"], ["Başlık", "Title"]),
  filter(
    ["status", "status", "list"],
    ["products"],
    [
      "Ürünler: approved, passive, veto (virgülle); siparişler: 0-16; ödemeler: 1-3",
      "Products: approved, passive, veto (with commas); orders: 0-16; payments: 1-3",
    ],
  ),
  filter(["status", "status", "number"], ["orders", "payments"], ["", ""]),
  filter(
    ["product", "product_id", "text"],
    ["comments"],
    ["Yalnızca bu ürünün yorumları (Ürün ID)", "Comments of this product only (its id)"],
  ),
  filter(["satisfaction", "satisfaction", "text"], COMMENTS, [
    "happy, unhappy ya da neutral",
    "happy, unhappy or neutral",
  ]),
  filter(["rate", "rate", "number"], COMMENTS, ["Puan", "Rate"]),
  filter(["min-rate", "min_rate", "number"], COMMENTS, ["En az puan", "Lowest rate"]),
  filter(["max-rate", "max_rate", "number"], COMMENTS, ["En çok puan", "Highest rate"]),
  filter(
    ["min-comments", "min_comment_count", "number"],
    ["comments"],
    ["Yalnızca en az bu kadar yorumu olan ürünler", "Only products with at least so many comments"],
  ),
  filter(
    ["max-comments", "max_comment_count", "number"],
    ["comments"],
    ["Yalnızca en çok bu kadar yorumu olan ürünler", "Only products with at most so many comments"],
  ),
  filter(
    ["at-product", "commented_at_product_details", "switch"],
    ["comments"],
    ["Ürün sayfasında yazılan yorumlar", "Comments written on the product's page"],
  ),
  filter(
    ["at-order", "commented_at_order", "switch"],
    ["comments"],
    ["Siparişte yazılan yorumlar", "Comments written at the order"],
  ),
  filter(
    ["days", "days", "number"],
    ["orders"],
    ["Son bu kadar günün siparişleri (30)", "Orders of the last so many days (30)"],
  ),
  filter(
    ["updates-only", "updates_only", "switch"],
    ["orders"],
    ["--days içinde durumu değişen siparişler", "Orders whose status changed within --days"],
  ),
  filter(
    ["answered", "answered", "switch"],
    ["questions"],
    ["Yanıtlanmış sorular", "Answered questions"],
  ),
  filter(
    ["unanswered", "unanswered", "switch"],
    ["questions"],
    ["Yanıtlanmamış sorular", "Unanswered questions"],
  ),
  filter(
    ["about-products", "questions_for_product", "switch"],
    ["questions"],
    ["Ürünlere sorulan sorular", "Questions about products"],
  ),
  filter(
    ["about-store", "questions_for_store", "switch"],
    ["questions"],
    ["Mağazaya sorulan sorular", "Questions about the store"],
  ),
  filter(["order", "order_code", "number"], ["payments"], ["Sipariş kodu", "Order code"]),
  filter(["customer", "customer_name", "text"], ["payments"], ["Müşteri adı", "Customer's name"]),
  ...PAYMENT_AMOUNTS,
];

/** A flag for every filter. */
const FILTER_FLAGS: Readonly<Record<string, FlagDefinition>> = Object.fromEntries(
  // Of two filters with the same flag the first describes it.
  FILTERS.toReversed().map(({ flag, reading, describe }): [string, FlagDefinition] => [
    flag,
    { type: reading === "switch" ? "boolean" : "string", describe },
  ]),
);

/** Every flag of an export, in the order of the help. */
export const EXPORT_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  ...OUTPUT_FLAGS,
  ...FILTER_FLAGS,
};

/**
 * The query fields of the given filters. Throws {@link UsageError} for filters that the listing
 * does not accept.
 */
export function readFilters(flags: Flags, listing: Listing): Readonly<Record<string, unknown>> {
  const given = Object.keys(FILTER_FLAGS).filter((flag) => isGiven(flags[flag]));
  const entries = given.map((flag) => {
    const found = FILTERS.find((each) => each.flag === flag && each.listings.includes(listing));
    if (found === undefined) throw createMisfit(flag, listing);
    return [found.field, readValue(found, flags[flag])] as const;
  });
  return Object.fromEntries(entries);
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== false && value !== "";

function readValue({ flag, reading }: Filter, value: unknown): unknown {
  const text = String(value);
  if (reading === "switch") return 1;
  if (reading === "list") return text.split(",").map((part) => part.trim());
  if (reading === "number") return readNumber(flag, text);
  return reading === "text" ? text : readSeconds(flag, text, reading);
}

function readNumber(flag: string, text: string): number {
  const value = Number(text.replace(",", "."));
  if (Number.isFinite(value) && text.trim() !== "") return value;
  throw new UsageError({
    tr: `--${flag} "${text}" bir sayı değil.`,
    en: `--${flag} "${text}" is not a number.`,
  });
}

function readSeconds(flag: string, text: string, edge: "start" | "end"): number {
  const ms = parseTypedTimestamp(text, edge);
  if (ms !== undefined) return Math.floor(ms / 1000);
  throw new UsageError({
    tr: `--${flag} "${text}" anlaşılamadı. Şöyle yazın: 2026-01-31 ya da 2026-01-31T09:30.`,
    en: `--${flag} "${text}" is not understood. Write it like 2026-01-31 or 2026-01-31T09:30.`,
  });
}

function createMisfit(flag: string, listing: Listing): UsageError {
  const fitting = [
    ...new Set(
      FILTERS.filter(({ listings }) => listings.includes(listing)).map((each) => each.flag),
    ),
  ];
  const known = fitting.map((each) => `--${each}`).join(", ");
  const [kind] = listing === "store-comments" ? ["comments --store-wide"] : [listing];
  return new UsageError({
    tr: `Pazaryeri "${kind}" için --${flag} ile süzemiyor. Süzebildikleri: ${known}.`,
    en: `The marketplace cannot filter "${kind}" by --${flag}. It can by: ${known}.`,
  });
}
