/** The workbook in which sellers enter their products: our columns in one language. */

import { createHash } from "node:crypto";

import type { Lang } from "@catalog/i18n";
import { FIELDS } from "@catalog/mapping";
import type { OutCell, writeTemplate } from "@catalog/sheets";

import type { ChoiceLists, PropertyChoices } from "./make-template.ts";
import type { Choice } from "./make-template.ts";

type TemplateWorkbook = Parameters<typeof writeTemplate>[0];

type FieldDefinition = (typeof FIELDS)[number];

type TemplateColumn = TemplateWorkbook["columns"][number];

/** Kind of workbook: whole products, or only stock and prices. */
export type WorkbookKind = "products" | "stock-price";

/** Path and language of the workbook. */
interface ProductWorkbookOptions {
  readonly path: string;
  readonly lang: Lang;
  /** @default "products" */
  readonly kind?: WorkbookKind | undefined;
  /** Lists of the marketplace. @default only the closed lists */
  readonly market?: ChoiceLists | undefined;
  /** Store and time of the lists. @default not stated */
  readonly stamp?: { readonly storeId: string; readonly madeAtMs: number } | undefined;
  /** Products in the workbook, one cell for each of {@link PRODUCT_COLUMNS}. */
  readonly rows?: readonly (readonly OutCell[])[];
}

/** Increases when columns or lists change, so that an old sheet is recognized. */
export const WORKBOOK_VERSION = 1;

/** Fields that few rows fill; the code and the title are first, and stay visible. */
const LAST_FIELDS: ReadonlySet<string> = new Set(["action", "product_id"]);
const FIRST_FIELDS: ReadonlySet<string> = new Set(["product_code", "title"]);

const FIELDS_IN_ORDER: readonly FieldDefinition[] = [
  ...FIELDS.filter(({ key }) => FIRST_FIELDS.has(key)),
  ...FIELDS.filter(({ key }) => !FIRST_FIELDS.has(key) && !LAST_FIELDS.has(key)),
  ...FIELDS.filter(({ key }) => LAST_FIELDS.has(key)),
];

/** Field of each column, in order. */
export const PRODUCT_COLUMNS: readonly string[] = FIELDS_IN_ORDER.map(({ key }) => key);

const TEXTS = {
  tr: {
    dataSheet: "Ürünler",
    guideSheet: "Açıklamalar",
    guideHeader: ["Sütun", "Zorunlu", "Açıklama", "Örnek", "Kabul edilen değerler"],
    required: "Evet",
    optional: "Hayır",
    stockSheet: "Stok-Fiyat",
    choose: "Listeden seçin; listede olmayan bir ad da yazılabilir.",
    chooseBrand:
      "Önce kategoriyi seçin; liste o kategorinin markalarını gösterir. Listede olmayan bir ad da yazılabilir.",
    chooseModel:
      "Önce markayı seçin; liste o markanın modellerini gösterir. Listede olmayan bir model de yazılabilir.",
    chooseOnly: "Listeden seçin ya da boş bırakın.",
    notListed: "Bu değer listede yok. Listeden birini seçin.",
    maybeNotListed: "Bu ad listede yok. Doğru yazdığınızdan eminseniz yine de bırakabilirsiniz.",
    example: "Örnek",
    property: "Özellik",
    propertyHelp: "Kategorinin bir özelliği; listeden seçin ya da boş bırakın.",
  },
  en: {
    dataSheet: "Products",
    guideSheet: "Guide",
    guideHeader: ["Column", "Required", "What it is", "Example", "Accepted values"],
    required: "Yes",
    optional: "No",
    stockSheet: "Stock-Price",
    choose: "Choose from the list; another name may be typed too.",
    chooseBrand:
      "Choose the category first; the list shows the brands of that category. Another name may be typed too.",
    chooseModel:
      "Choose the brand first; the list shows the models of that brand. Another model may be typed too.",
    chooseOnly: "Choose from the list, or leave it empty.",
    notListed: "This value is not in the list. Choose one from the list.",
    maybeNotListed: "This name is not in the list. If you are sure of it, you may keep it.",
    example: "Example",
    property: "Property",
    propertyHelp: "A property of the category; choose from the list or leave it empty.",
  },
} as const;

/** Columns of the stock and price workbook, of which only the code is required. */
const STOCK_FIELDS: ReadonlySet<string> = new Set([
  "product_code",
  "stock",
  "price",
  "discount_type",
  "discount_value",
]);

/** Describes the workbook; `writeTemplate` of the sheets package writes it. */
export function createProductWorkbook(options: ProductWorkbookOptions): TemplateWorkbook {
  const { path, lang, kind = "products", market, rows = [] } = options;
  const texts = TEXTS[lang];
  const fields = kind === "products" ? FIELDS_IN_ORDER : STOCK_FIELDS_IN_ORDER;
  const properties = kind === "products" ? (market?.properties ?? []) : [];
  const columns = [
    ...fields.map((field) => toColumn(field, { lang, market })),
    ...properties.map((property, index) => toPropertyColumn(property, index, lang)),
  ];
  const lists = [
    ...fields.flatMap((field) => toList(field, { lang, market })),
    ...properties.map(({ options: values }, index) => ({ name: propertyList(index), values })),
    ...toGroupLists(fields, market),
  ];
  return {
    path,
    dataSheet: kind === "products" ? texts.dataSheet : texts.stockSheet,
    guideSheet: {
      name: texts.guideSheet,
      header: texts.guideHeader,
      widths: GUIDE_WIDTHS,
      rows: [
        ...fields.map((field) => toGuideRow(field, { lang, market })),
        ...properties.map((property) => toPropertyGuideRow(property, lang)),
      ],
    },
    columns,
    frozenColumns: kind === "products" ? FIRST_FIELDS.size : 1,
    lists,
    meta: toMeta(options, lists),
    rows,
  };
}

/** Of the columns in the guide, in characters. */
const GUIDE_WIDTHS = [24, 10, 60, 34, 56] as const;

/** The brand of each model, the brands of each category, and the category of each of these. */
const MODEL_BRANDS = "list_model_brand";
const CATEGORY_BRANDS = "list_category_brand";
const BRAND_CATEGORIES = "list_brand_category";

/** The lists by which the drop-down of a row offers only what goes with its category or brand. */
function toGroupLists(
  fields: readonly FieldDefinition[],
  market: ChoiceLists | undefined,
): TemplateWorkbook["lists"] {
  if (market === undefined || !fields.some(({ key }) => key === "brand_model")) return [];
  const lists = [
    { name: MODEL_BRANDS, values: market.model_brand },
    { name: CATEGORY_BRANDS, values: market.category_brand },
    { name: BRAND_CATEGORIES, values: market.brand_category },
  ];
  return lists.filter(({ values }) => values.length > 0);
}

const STOCK_FIELDS_IN_ORDER: readonly FieldDefinition[] = [...STOCK_FIELDS].flatMap((key) =>
  FIELDS.filter((field) => field.key === key).map((field) =>
    key === "product_code"
      ? field
      : Object.assign({}, field, { requiredForAdd: false, writtenHeader: field.header }),
  ),
);

/** The stamp of the workbook; its hash tells the lists of one day from those of another. */
function toMeta(
  { lang, kind = "products", stamp }: ProductWorkbookOptions,
  lists: TemplateWorkbook["lists"],
): TemplateWorkbook["meta"] {
  const meta = { kind, version: String(WORKBOOK_VERSION), lang };
  if (stamp === undefined) return meta;
  const hash = createHash("sha256").update(JSON.stringify(lists)).digest("hex");
  const made = new Date(stamp.madeAtMs).toISOString();
  return { ...meta, store: stamp.storeId, made_at: made, lists: hash.slice(0, LISTS_HASH_LENGTH) };
}

const LISTS_HASH_LENGTH = 16;

interface WorkbookInput {
  readonly lang: Lang;
  readonly market: ChoiceLists | undefined;
}

function toGuideRow(field: FieldDefinition, { lang, market }: WorkbookInput): readonly string[] {
  const texts = TEXTS[lang];
  const isOpen = openChoices(field, market).length > 0;
  return [
    field.writtenHeader[lang],
    field.requiredForAdd ? texts.required : texts.optional,
    field.help[lang],
    field.example[lang],
    isOpen ? texts.choose : listTexts(field, lang).join(", "),
  ];
}

/** Longer lists are shown in the drop-down only. */
const MAX_NAMED = 20;

function toPropertyGuideRow({ name, options }: PropertyChoices, lang: Lang): readonly string[] {
  const { property, propertyHelp, optional } = TEXTS[lang];
  const shown = options.slice(0, MAX_NAMED).map(({ label }) => label);
  const values = options.length > MAX_NAMED ? [...shown, "…"] : shown;
  return [`${property}: ${name}`, optional, propertyHelp, shown[0] ?? "", values.join(", ")];
}

function toPropertyColumn({ name }: PropertyChoices, index: number, lang: Lang): TemplateColumn {
  const { property, propertyHelp, chooseOnly, notListed } = TEXTS[lang];
  return {
    key: `property:${name}`,
    header: `${property}: ${name}`,
    required: false,
    kind: "text",
    note: propertyHelp,
    list: { name: propertyList(index), strict: true, prompt: chooseOnly, error: notListed },
  };
}

const propertyList = (index: number): string => `list_property_${index + 1}`;

const KINDS: Readonly<Record<FieldDefinition["kind"], TemplateColumn["kind"]>> = {
  text: "text",
  id: "text",
  name: "text",
  words: "text",
  image: "text",
  money: "price",
  number: "price",
  integer: "integer",
};

const WIDTHS: Readonly<Partial<Record<FieldDefinition["kind"], number>>> = {
  integer: 12,
  money: 14,
  image: 30,
};
/** Fields with texts, names and codes of their own length, which an empty workbook cannot show. */
const FIELD_WIDTHS: Readonly<Partial<Record<FieldDefinition["key"], number>>> = {
  product_code: 18,
  title: 40,
  sub_title: 30,
  category: 40,
  description: 44,
  images: 30,
  note: 24,
};

function toColumn(field: FieldDefinition, { lang, market }: WorkbookInput): TemplateColumn {
  const width = FIELD_WIDTHS[field.key] ?? WIDTHS[field.kind];
  const list = toDropDown(field, { lang, market });
  return {
    key: field.key,
    header: field.writtenHeader[lang],
    required: field.requiredForAdd,
    kind: KINDS[field.kind],
    note: `${field.help[lang]}\n${TEXTS[lang].example}: ${field.example[lang]}`,
    ...(width === undefined ? {} : { width }),
    ...(list === undefined ? {} : { list }),
  };
}

function toDropDown(
  field: FieldDefinition,
  { lang, market }: WorkbookInput,
): TemplateColumn["list"] {
  const texts = TEXTS[lang];
  const name = listName(field);
  if (openChoices(field, market).length === 0) {
    if (field.keywords === undefined) return undefined;
    return { name, strict: true, prompt: texts.chooseOnly, error: texts.notListed };
  }
  const open = { name, strict: false, error: texts.maybeNotListed };
  if (field.key === "brand" && (market?.category_brand.length ?? 0) > 0) {
    const group = { column: "category", list: BRAND_CATEGORIES, values: CATEGORY_BRANDS };
    return { ...open, prompt: texts.chooseBrand, group };
  }
  if (field.key !== "brand_model") return { ...open, prompt: texts.choose };
  return { ...open, prompt: texts.chooseModel, group: { column: "brand", list: MODEL_BRANDS } };
}

/** Lists of the marketplace grow, so other names may be typed. */
function openChoices({ key }: FieldDefinition, market: ChoiceLists | undefined): readonly Choice[] {
  if (key === "category" || key === "brand" || key === "brand_model") return market?.[key] ?? [];
  return key === "shipping_template" ? (market?.shipping_template ?? []) : [];
}

function listTexts(field: FieldDefinition, lang: Lang): readonly string[] {
  return (field.keywords ?? []).map((word) => word[lang]);
}

function toList(
  field: FieldDefinition,
  { lang, market }: WorkbookInput,
): TemplateWorkbook["lists"] {
  const open = openChoices(field, market);
  if (open.length > 0) return [{ name: listName(field), values: open }];
  if (field.keywords === undefined) return [];
  const values = field.keywords.map((word) => ({ label: word[lang], id: String(word.value) }));
  return [{ name: listName(field), values }];
}

const listName = ({ key }: FieldDefinition): string => `list_${key}`;
