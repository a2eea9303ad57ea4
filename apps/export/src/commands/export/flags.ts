/** The flags of an export: those of all kinds and of some, and the marketplace's filters with the
 * listings that accept them. */

import {
  type FlagDefinition,
  type Flags,
  UsageError,
  readFlag,
  SHARED_FLAGS,
} from "@catalog/console";
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
} from "@catalog/exporter/kinds";
import { parseTypedTimestamp } from "@catalog/exporter/timestamps";
import type { Localized } from "@catalog/i18n";

/** The flags that every kind of export has. */
export const COMMON_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  out: {
    type: "string",
    describe: { tr: "Yazılacak dosya; - standart çıktıdır", en: "File to write; - is stdout" },
  },
  overwrite: {
    type: "boolean",
    describe: { tr: "Dosya varsa üzerine yaz", en: "Replace the file if it exists" },
  },
  format: {
    type: "string",
    choices: EXPORT_FORMATS,
    describe: {
      tr: "Biçim; verilmezse dosyanın uzantısından anlaşılır",
      en: "Format (default: by the file's ending)",
    },
  },
  columns: {
    type: "string",
    describe: {
      tr: "Yalnızca bu sütunlar, bu sırayla: dosyadaki başlıkları ya da anahtarları",
      en: "Only these columns, in this order: their headers in the file, or their keys",
    },
  },
  decimal: {
    type: "string",
    choices: ["comma", "point"],
    describe: {
      tr: "CSV'nin ondalık ayırıcısı; virgül seçilirse sütunlar ; ile, nokta seçilirse , ile ayrılır (dile göre)",
      en: "Decimal sign of a CSV file: comma separates its columns by ;, point by , (default: by language)",
    },
  },
  fresh: {
    type: "boolean",
    describe: {
      tr: "Yarım kalmış dışa aktarmayı sürdürme, baştan başla",
      en: "Start over instead of continuing an unfinished export",
    },
  },
  concurrency: SHARED_FLAGS.concurrency,
  "requests-per-hour": {
    type: "number",
    describe: { tr: "Bir saatte en çok istek", en: "Maximum calls per hour" },
  },
};

interface KindFlag extends FlagDefinition {
  readonly kinds: readonly ExportKind[];
}

/** The flags that only some kinds have, besides their filters. */
const KIND_FLAGS: Readonly<Record<string, KindFlag>> = {
  since: {
    kinds: ["products", "comments", "orders", "questions", "payments"],
    type: "string",
    choices: ["last"],
    describe: {
      tr: "Yalnızca aynı süzgeçlerle yapılan son dışa aktarmadan sonrakiler",
      en: "Only what is new since the last export with the same filters",
    },
  },
  template: {
    kinds: ["products"],
    type: "string",
    // No default here: it would count as given for the other kinds.
    choices: ["import", "full"],
    describe: {
      tr: "import: içe aktarmanın okuduğu sütunlar; full: listede ne varsa hepsi (import)",
      en: "import: the columns that an import reads; full: all that the listing has (import)",
    },
  },
  "price-unit": {
    kinds: ["products", "orders", "payments", "search", "shipping-prices"],
    type: "string",
    choices: ["minor", "major"],
    describe: {
      tr: "Pazaryerinin verdiği tutarların birimi: kuruş (minor) ya da lira (major); sonraki komutlar hatırlar",
      en: "Unit of the amounts that the marketplace gives: minor (kuruş) or major (lira); later commands remember it",
    },
  },
  "store-wide": {
    kinds: ["comments"],
    type: "boolean",
    describe: {
      tr: "Mağazanın yorumlarını tek listede oku: az istek, ama ürün bilgisi yok",
      en: "Read the comments of the store as one list: few calls, but no products",
    },
  },
  "with-names": {
    kinds: ["comments", "orders", "questions", "payments"],
    type: "boolean",
    describe: {
      tr: 'Adları açık yaz (yoksa "A*** Y***"); kişisel veridir (siparişlerde --with-contact ile aynı)',
      en: 'Write names in full (else "A*** Y***"); they are personal data (for orders the same as --with-contact)',
    },
  },
  packages: {
    kinds: ["shipping-prices"],
    type: "string",
    describe: {
      tr: "Paketleri olan dosya; “Paket ID” sütunu okunur (export orders yazar)",
      en: "A file of packages; its column “Package ID” is read (export orders writes one)",
    },
  },
  per: {
    kinds: ["orders"],
    type: "string",
    choices: ["item", "package"],
    describe: {
      tr: "Bir satır nedir: siparişin bir kalemi ya da bir paketi; sipariş ve paket tutarları bir kez yazılır, sütunlar toplanabilir (item)",
      en: "What a row is: an item of an order or a package; amounts of the order and the package are written once, so columns can be added up (item)",
    },
  },
  "with-contact": {
    kinds: ["orders"],
    type: "boolean",
    describe: {
      tr: "E-posta ve teslimat adreslerini açık yaz (yoksa ***); kişisel veridir",
      en: "Write e-mail and shipping addresses in full (else ***); they are personal data",
    },
  },
};

/** Kind of the export. Throws {@link UsageError} for an unknown one. */
export function kindFlag(flags: Flags): ExportKind {
  const kind = readFlag.word(flags, "kind", EXPORT_KINDS);
  if (kind !== undefined) return kind;
  const kinds = EXPORT_KINDS.join(", ");
  throw new UsageError({
    tr: `Bunlar dışa aktarılabilir: ${kinds}.`,
    en: `These can be exported: ${kinds}.`,
  });
}

/** Path of the file, or `-` for stdout. Throws {@link UsageError} when there is none. */
export function outFlag(flags: Flags, kind: ExportKind): string {
  const out = readFlag.text(flags, "out");
  if (out !== undefined) return out;
  throw new UsageError({
    tr: `--out ile bir dosya verin: catalog export ${kind} --out ${kind}.xlsx`,
    en: `Give a file with --out: catalog export ${kind} --out ${kind}.xlsx`,
  });
}

/** The named format, or that of the file's extension. Throws {@link UsageError} for neither. */
export function formatFlag(flags: Flags, out: string): ExportFormat {
  const ending = /\.([^./\\]+)$/u.exec(out)?.[1]?.toLowerCase();
  const byEnding = EXPORT_FORMATS.find((format) => format === ending);
  const format = readFlag.word(flags, "format", EXPORT_FORMATS) ?? byEnding;
  if (format === "xlsx" && out === "-") {
    throw new UsageError({
      tr: "Bir çalışma kitabı standart çıktıya yazılamaz. --out ile bir dosya verin ya da --format csv kullanın.",
      en: "A workbook cannot go to stdout. Give a file with --out, or use --format csv.",
    });
  }
  if (format !== undefined) return format;
  if (out === "-") return "csv";
  throw new UsageError({
    tr: `"${out}" adından biçim anlaşılmıyor. Sonuna .csv, .xlsx ya da .jsonl koyun, ya da --format verin.`,
    en: `The name "${out}" tells no format. Let it end in .csv, .xlsx or .jsonl, or give --format.`,
  });
}

/** A listing; the comments of the whole store have one of their own. */
type Listing = ExportKind | "store-comments";

/** How a flag's value is converted to the value of a query field. */
type Reading = "start" | "end" | "text" | "list" | "codes" | "number" | "switch";

interface Filter {
  readonly flag: string;
  /** Name of the query field. */
  readonly field: string;
  readonly reading: Reading;
  readonly listings: readonly Listing[];
  readonly describe: FlagDefinition["describe"];
  /** The values that it takes. @default any */
  readonly choices?: readonly string[];
}

/** Kinds of sellers that the search tells apart. */
const STORE_TYPES = ["b2c", "c2c"] as const;

const COMMENTS = ["comments", "store-comments"] as const;
const DATED = ["products", "orders", "questions", "payments", ...COMMENTS] as const;

/** Amounts of payments by which they can be filtered, with their names. */
const PAYMENT_FIELDS: Readonly<Record<string, Localized>> = {
  store_payout: { tr: "Mağaza hakedişi", en: "store payout" },
  shipping_price: { tr: "Kargo tutarı", en: "shipping price" },
  total_paid_price: { tr: "Ödenen tutar", en: "amount paid" },
};

const BOUNDS: Readonly<Record<string, Localized>> = {
  "": { tr: "tam bu kadar", en: "Exact" },
  min_: { tr: "en az bu kadar", en: "Minimum" },
  max_: { tr: "en çok bu kadar", en: "Maximum" },
};

const PAYMENT_AMOUNTS = Object.entries(PAYMENT_FIELDS).flatMap(
  ([field, amount]): readonly Filter[] =>
    Object.entries(BOUNDS).map(([bound, word]) => {
      const name = `${bound}${field}`;
      const flag = name.replaceAll("_", "-");
      const describe = { tr: `${amount.tr}: ${word.tr}`, en: `${word.en} ${amount.en}` };
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
    "From this time on: 2026-01-31 or 2026-01-31T09:30 (time in Türkiye)",
  ]),
  filter(["end-date", "end_date", "end"], DATED, [
    "Bu ana kadarkiler; saatsiz bir gün, sonuna kadar sayılır",
    "Up to this time; a day without a time counts to its end",
  ]),
  filter(
    ["date", "date_created", "start"],
    [...COMMENTS, "payments"],
    ["Bu günün kayıtları", "Records of this day"],
  ),
  filter(
    ["ids", "ids", "list"],
    ["products", "payments", "templates"],
    ["Kimlikler, virgülle", "Ids, separated by commas"],
  ),
  filter(
    ["code", "product_code", "codes"],
    ["products"],
    [
      "Ürün kodları, virgülle; içinde virgül olanı tırnağa alın",
      "Product codes, separated by commas; quote one that has a comma",
    ],
  ),
  filter(["title", "title", "text"], ["products", "questions"], ["Başlık", "Title"]),
  filter(
    ["status", "status", "list"],
    ["products"],
    [
      "approved (onaylı), passive (pasif), veto; birkaçı virgülle (hepsi)",
      "approved, passive, veto; several separated by commas (all)",
    ],
  ),
  filter(
    ["status", "status", "number"],
    ["orders"],
    [
      "Bir paketi bu durumda olan siparişler, bütün paketleriyle: 0 (henüz onaylanmamış) ya da 1-16; anlamları: catalog lookup order-statuses",
      "Orders with a package in this status, with all of their packages: 0 (not approved yet) or 1-16; what they mean: catalog lookup order-statuses",
    ],
  ),
  filter(
    ["status", "status", "number"],
    ["payments"],
    [
      "1 (hesaba aktarılmayı bekliyor), 2 (hesaba aktarıldı), 3 (iptal edildi)",
      "1 (awaiting transfer to the account), 2 (transferred), 3 (cancelled)",
    ],
  ),
  filter(
    ["product", "product_id", "codes"],
    ["comments"],
    [
      "Yalnızca bu ürünlerin yorumları: ürün kodları ya da kimlikleri, virgülle",
      "Only comments on these products: codes or ids, separated by commas",
    ],
  ),
  {
    ...filter(["satisfaction", "satisfaction", "text"], COMMENTS, [
      "Memnun (happy), memnun olmayan (unhappy) ya da nötr (neutral) yorumlar",
      "Comments of happy, unhappy or neutral buyers",
    ]),
    choices: ["happy", "unhappy", "neutral"],
  },
  filter(["rate", "rate", "number"], COMMENTS, ["Tam bu puan (1-5)", "Exactly this rating (1-5)"]),
  filter(["min-rate", "min_rate", "number"], COMMENTS, [
    "En az bu puan (1-5)",
    "At least this rating (1-5)",
  ]),
  filter(["max-rate", "max_rate", "number"], COMMENTS, [
    "En çok bu puan (1-5)",
    "At most this rating (1-5)",
  ]),
  filter(
    ["min-comments", "min_comment_count", "number"],
    ["comments"],
    [
      "Yalnızca en az bu kadar yorumu olan ürünler",
      "Only products with at least this many comments",
    ],
  ),
  filter(
    ["max-comments", "max_comment_count", "number"],
    ["comments"],
    [
      "Yalnızca en çok bu kadar yorumu olan ürünler",
      "Only products with at most this many comments",
    ],
  ),
  filter(
    ["at-product", "commented_at_product_details", "switch"],
    ["comments"],
    ["Ürün sayfasında yazılan yorumlar", "Comments written on the product's page"],
  ),
  filter(
    ["at-order", "commented_at_order", "switch"],
    ["comments"],
    ["Siparişte yazılan yorumlar", "Comments written on the order"],
  ),
  filter(
    ["days", "days", "number"],
    ["orders"],
    ["Son kaç günün siparişleri [varsayılan: 30]", "Orders of the last N days [default: 30]"],
  ),
  filter(
    ["all", "all", "switch"],
    ["orders"],
    ["Pazaryerinin verebildiği bütün günler", "All days that the marketplace can give"],
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
  {
    ...filter(
      ["type", "type", "text"],
      ["search"],
      [
        "Satıcı türü: b2c (firmalar) ya da c2c (bireyler)",
        "Sellers: b2c (companies) or c2c (persons)",
      ],
    ),
    choices: STORE_TYPES,
  },
  filter(["key", "search_key", "text"], ["search"], ["Aranan metin", "Text to search for"]),
  filter(
    ["search", "search", "text"],
    ["templates"],
    ["Şablon adında geçen metin", "Text in the name"],
  ),
  filter(
    ["contracted", "contracted", "switch"],
    ["companies"],
    [
      "Yalnız pazaryeriyle anlaşmalı firmalar",
      "Only companies with a contract with the marketplace",
    ],
  ),
  filter(
    ["package", "package_id", "codes"],
    ["shipping-prices"],
    ["Paket kimlikleri, virgülle", "Package ids, separated by commas"],
  ),
];

/** Of filters with the same flag the last one describes it. */
const toFlags = (filters: readonly Filter[]): Readonly<Record<string, FlagDefinition>> =>
  Object.fromEntries(
    filters.map(({ flag, reading, describe, choices }): [string, FlagDefinition] => [
      flag,
      {
        type: reading === "switch" ? "boolean" : "string",
        describe,
        ...(choices === undefined ? {} : { choices }),
      },
    ]),
  );

const FILTER_FLAGS = toFlags(FILTERS);

/** Every flag of an export. */
export const EXPORT_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  ...COMMON_FLAGS,
  ...KIND_FLAGS,
  ...FILTER_FLAGS,
};

const listingsOf = (kind: ExportKind): readonly Listing[] =>
  kind === "comments" ? ["comments", "store-comments"] : [kind];

/** The flags of one kind, in the order of its help. */
export function flagsOf(kind: ExportKind): Readonly<Record<string, FlagDefinition>> {
  const own = Object.entries(KIND_FLAGS).filter(([, { kinds }]) => kinds.includes(kind));
  const listings = listingsOf(kind);
  const filters = FILTERS.filter((each) => each.listings.some((one) => listings.includes(one)));
  return { ...COMMON_FLAGS, ...Object.fromEntries(own), ...toFlags(filters) };
}

/** What a kind cannot do without: one of these flags, each with an example. */
const NEEDED: Readonly<Partial<Record<ExportKind, readonly (readonly string[])[]>>> = {
  search: [["type"], ["key"]],
  "shipping-prices": [["package", "packages"]],
};

const NEEDED_EXAMPLES: Readonly<Record<string, string>> = {
  type: "b2c",
  key: '"cezve"',
  package: "PAKET-ID",
};

/** Throws {@link UsageError} where a flag is missing that the kind needs. */
export function assertNeeded(flags: Flags, kind: ExportKind): void {
  const missing = NEEDED[kind]?.filter((names) => !names.some((name) => isGiven(flags[name])));
  if (missing === undefined || missing.length === 0) return;
  const words = missing.map(([name = ""]) => `--${name} ${NEEDED_EXAMPLES[name] ?? "…"}`).join(" ");
  throw new UsageError({
    tr: `${capitalize(KIND_NAMES[kind].tr, "tr")} için şunlar da gerekli: catalog export ${kind} ${words}`,
    en: `${capitalize(KIND_NAMES[kind].en, "en")} also takes: catalog export ${kind} ${words}`,
  });
}

/** Throws {@link UsageError} for a flag that belongs to another kind. */
export function refuseOtherFlags(flags: Flags, kind: ExportKind): void {
  const own = flagsOf(kind);
  const given = Object.keys(EXPORT_FLAGS).filter((name) => isGiven(flags[name]));
  const stray = given.find((name) => !(name in own));
  if (stray === undefined) return;
  const kinds = EXPORT_KINDS.filter((each) => stray in flagsOf(each));
  const [tr, en] = (["tr", "en"] as const).map((lang) =>
    kinds.map((each) => `${KIND_NAMES[each][lang]} (${each})`).join(", "),
  );
  const names = KIND_NAMES[kind];
  const known = listFilters(listingsOf(kind));
  throw new UsageError({
    tr: `--${stray} ${names.tr} için değil; şunlar için: ${tr}. ${capitalize(names.tr, "tr")} bunlarla süzülür: ${known}. Bütün seçenekler: catalog export ${kind} --help`,
    en: `--${stray} is not for ${names.en} but for: ${en}. Filters of ${names.en}: ${known}. Every option: catalog export ${kind} --help`,
  });
}

/** The kinds in a sentence. */
const KIND_NAMES: Readonly<Record<ExportKind, Localized>> = {
  products: { tr: "ürünler", en: "products" },
  comments: { tr: "yorumlar", en: "comments" },
  orders: { tr: "siparişler", en: "orders" },
  questions: { tr: "sorular", en: "questions" },
  payments: { tr: "ödemeler", en: "payments" },
  search: { tr: "arama", en: "a search" },
  templates: { tr: "teslimat şablonları", en: "shipping templates" },
  companies: { tr: "kargo firmaları", en: "shipping companies" },
  addresses: { tr: "teslimat adresleri", en: "shipping addresses" },
  cities: { tr: "şehirler", en: "cities" },
  "shipping-prices": { tr: "kargo ücretleri", en: "shipping prices" },
};

const capitalize = (word: string, lang: string): string =>
  word.charAt(0).toLocaleUpperCase(lang) + word.slice(1);

function listFilters(listings: readonly Listing[]): string {
  const fitting = FILTERS.filter((each) => each.listings.some((one) => listings.includes(one)));
  return [...new Set(fitting.map(({ flag }) => `--${flag}`))].join(", ") || "–";
}

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
  const filters = Object.fromEntries(entries);
  assertInOrder(flags, filters);
  assertOnePeriod(flags);
  return filters;
}

/** Refuses a time span that ends before it begins, which no record is in. */
function assertInOrder(flags: Flags, filters: Readonly<Record<string, unknown>>): void {
  const { start_date: start, end_date: end } = filters;
  if (typeof start !== "number" || typeof end !== "number" || start <= end) return;
  const given = `--start-date ${String(flags["start-date"])} --end-date ${String(flags["end-date"])}`;
  throw new UsageError({
    tr: `Bitiş başlangıçtan önce: ${given}. Tarihlerin yerini değiştirin.`,
    en: `The end is before the start: ${given}. Change the dates over.`,
  });
}

/** Two ways to say which days are meant contradict each other. */
function assertOnePeriod(flags: Flags): void {
  const findGiven = (names: readonly string[]): string | undefined =>
    names.find((flag) => isGiven(flags[flag]));
  const besideAll = findGiven(["days", "start-date", "end-date", "updates-only"]);
  if (isGiven(flags["all"]) && besideAll !== undefined) {
    throw new UsageError({
      tr: `--all bütün günleri verir; --${besideAll} ile birlikte kullanılamaz. Birini bırakın.`,
      en: `--all gives all days and cannot be used with --${besideAll}. Leave one of them out.`,
    });
  }
  const date = findGiven(["start-date", "end-date"]);
  if (!isGiven(flags["days"]) || date === undefined) return;
  throw new UsageError({
    tr: `--days bugünden geriye sayar; --${date} ile birlikte kullanılamaz. Birini bırakın.`,
    en: `--days counts back from now and cannot be used with --${date}. Leave one of them out.`,
  });
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== false && value !== "";

function readValue({ flag, reading }: Filter, value: unknown): unknown {
  const text = String(value);
  if (reading === "switch") return 1;
  if (reading === "list") return text.split(",").map((part) => part.trim());
  if (reading === "codes") return splitCodes(text);
  if (reading === "number") return readNumber(flag, text);
  return reading === "text" ? text : readSeconds(flag, text, reading);
}

/** `A,"B,1"` is A and B,1. */
function splitCodes(text: string): readonly string[] {
  const codes: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const quoteEnd = rest.startsWith('"') ? rest.indexOf('"', 1) : -1;
    const comma = rest.indexOf(",", Math.max(quoteEnd, 0));
    const code = (comma === -1 ? rest : rest.slice(0, comma)).trim();
    codes.push(quoteEnd > 0 && quoteEnd === code.length - 1 ? code.slice(1, -1) : code);
    rest = comma === -1 ? "" : rest.slice(comma + 1).trimStart();
  }
  return codes.filter((code) => code !== "");
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
  const known = listFilters([listing]);
  const kind = listing === "store-comments" ? "comments --store-wide" : listing;
  return new UsageError({
    tr: `Pazaryeri "${kind}" için --${flag} ile süzemiyor. Süzebildikleri: ${known}.`,
    en: `The marketplace cannot filter "${kind}" by --${flag}. It can by: ${known}.`,
  });
}
