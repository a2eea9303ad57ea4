/** The workbook in which sellers write their products: our columns, in one language. */

import {
  type FieldDefinition,
  type FieldKind,
  FIELDS,
  formatHeader,
  VALUE_WORDS,
} from "@catalog/mapping";
import {
  type OutCell,
  type TemplateColumn,
  type TemplateList,
  type TemplateWorkbook,
} from "@catalog/sheets";

import { type Lang } from "./command.ts";

/** Where to write the workbook, and for whom. */
export interface ProductWorkbookOptions {
  readonly path: string;
  readonly lang: Lang;
  /** Products that it holds already, a cell for each of {@link PRODUCT_COLUMNS}. */
  readonly rows?: readonly (readonly OutCell[])[];
}

/** Goes up when columns or lists change, so that an old sheet can be told from a new one. */
const WORKBOOK_VERSION = "1";

/** Field of each column, in order. */
export const PRODUCT_COLUMNS: readonly string[] = FIELDS.map(({ key }) => key);

const TEXTS = {
  tr: {
    dataSheet: "Ürünler",
    guideSheet: "Açıklamalar",
    guideHeader: ["Sütun", "Zorunlu", "Açıklama", "Örnek", "Kabul edilen değerler"],
    required: "Evet",
    optional: "Hayır",
  },
  en: {
    dataSheet: "Products",
    guideSheet: "Guide",
    guideHeader: ["Column", "Required", "What it is", "Example", "Accepted values"],
    required: "Yes",
    optional: "No",
  },
} as const;

/** Closed lists by the field that they belong to. */
const WORDS_OF: ReadonlyMap<
  string,
  readonly { readonly tr: string; readonly en: string; readonly value: unknown }[]
> = new Map(
  Object.entries({
    action: VALUE_WORDS.action,
    currency: VALUE_WORDS.currency,
    warranty_type: VALUE_WORDS.warranty_type,
    warranty_period: VALUE_WORDS.warranty_period,
    discount_type: VALUE_WORDS.discount_type,
    condition: VALUE_WORDS.condition,
    custom_order: VALUE_WORDS.yes_no,
  }),
);

/** Describes the workbook; `writeTemplate` of the sheets package writes it. */
export function createProductWorkbook(options: ProductWorkbookOptions): TemplateWorkbook {
  const { path, lang, rows = [] } = options;
  const texts = TEXTS[lang];
  return {
    path,
    dataSheet: texts.dataSheet,
    guideSheet: {
      name: texts.guideSheet,
      header: texts.guideHeader,
      rows: FIELDS.map((field) => [
        formatHeader(field, lang),
        field.requiredForAdd ? texts.required : texts.optional,
        field.help[lang],
        field.example[lang],
        wordsOf(field, lang).join(", "),
      ]),
    },
    columns: FIELDS.map((field) => toColumn(field, lang)),
    lists: FIELDS.flatMap((field) => toList(field, lang)),
    meta: { kind: "products", version: WORKBOOK_VERSION, lang },
    rows,
  };
}

const KINDS: Readonly<Record<FieldKind, TemplateColumn["kind"]>> = {
  text: "text",
  id: "text",
  name: "text",
  words: "text",
  image: "text",
  money: "price",
  number: "price",
  integer: "integer",
};

const WIDTHS: Readonly<Partial<Record<FieldKind, number>>> = { integer: 12, money: 14, image: 30 };

function toColumn(field: FieldDefinition, lang: Lang): TemplateColumn {
  const width = WIDTHS[field.kind];
  return {
    key: field.key,
    header: formatHeader(field, lang),
    required: field.requiredForAdd,
    kind: KINDS[field.kind],
    note: `${field.help[lang]}\n${field.example[lang]}`,
    ...(width === undefined ? {} : { width }),
    ...(WORDS_OF.has(field.key) ? { list: { name: listName(field), strict: true } } : {}),
  };
}

function wordsOf(field: FieldDefinition, lang: Lang): readonly string[] {
  return (WORDS_OF.get(field.key) ?? []).map((word) => word[lang]);
}

function toList(field: FieldDefinition, lang: Lang): readonly TemplateList[] {
  const words = WORDS_OF.get(field.key);
  if (words === undefined) return [];
  const values = words.map((word) => ({ label: word[lang], id: String(word.value) }));
  return [{ name: listName(field), values }];
}

const listName = ({ key }: FieldDefinition): string => `list_${key}`;
