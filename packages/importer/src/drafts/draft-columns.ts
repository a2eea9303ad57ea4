/** What the columns of a draft are for, with the reason and examples for a person. */

import { type Connection, fieldLabels } from "@catalog/connection";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  columnLetter,
  type ColumnMapping,
  createSheetReader,
  type FieldKey,
  FIELDS,
  findField,
  headerKey as compareKey,
  type NumberNotations,
  readingOf,
  type SourceRow,
} from "@catalog/mapping";

import {
  ownHeaders,
  readDraftDefaults,
  readRememberedColumns,
  type RememberedColumns,
  statedColumns,
} from "../columns/column-profiles.ts";
import { resolveColumns, type ResolvedColumns, toKnownStores } from "../columns/resolve-columns.ts";
import { describePlatform } from "../file/describe-file.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import { readStoredRules } from "../pricing/price-rules.ts";
import { createUnsentUses } from "../pricing/rule-columns.ts";
import { cellToText, type DraftSheet } from "./draft-rows.ts";
import type {
  DraftColumn,
  DraftColumnsView,
  DraftField,
  DraftProblem,
  ShownNumber,
} from "./draft-views.ts";
import type { DraftRecord, DraftRepository } from "./stored-draft.ts";

type FieldDefinition = (typeof FIELDS)[number];

type Column = ColumnMapping["columns"][number];

/** The columns of a draft as they are understood now. */
export interface OpenedColumns extends ResolvedColumns {
  readonly recalled: RememberedColumns;
}

/** Decides what each column is for, as planning the draft would. */
export async function openDraftColumns(
  connection: Pick<Connection, "memory" | "storeName" | "namedStores">,
  sheet: DraftSheet,
  { columns: given, reading, basis }: Pick<DraftRecord, "columns" | "reading" | "basis">,
  signal?: AbortSignal,
): Promise<OpenedColumns> {
  const { profiles } = connection.memory;
  const stated = {
    columns: givenColumns(given),
    constants: new Map(Object.entries(given.constants)),
    decimal: reading.decimal,
  };
  const recalled =
    basis === null
      ? await readRememberedColumns(profiles, ownHeaders(sheet), stated)
      : statedColumns(stated);
  const [below] = await Array.fromAsync(firstRow(sheet));
  const resolved = await resolveColumns({
    sheet,
    below,
    ...recalled,
    defaults: await readDraftDefaults(profiles, given),
    stores: toKnownStores(connection),
    signal,
  });
  return { ...resolved, recalled };
}

/** The fields that a person gave to columns; an added column has its own unless it was changed. */
export const givenColumns = ({
  columns,
  added = [],
}: Pick<DraftRecord["columns"], "columns" | "added">): ReadonlyMap<string, string> =>
  new Map([
    ...added.map(({ header, field }) => [header, field] as const),
    ...Object.entries(columns),
  ]);

async function* firstRow(sheet: DraftSheet): AsyncGenerator<DraftSheet["header"]["cells"]> {
  for await (const { cells } of sheet.rows()) {
    yield cells;
    return;
  }
}

const SAMPLE_ROWS = 300;
const MAX_SAMPLES = 5;
const SAMPLE_CHARS = 120;

/** The columns as a page shows them. */
export async function toColumnsView(
  {
    drafts,
    prices,
  }: Pick<Connection["memory"], "prices"> & {
    readonly drafts: Pick<DraftRepository, "readRows">;
  },
  sheet: DraftSheet,
  { mapping, recalled, issues }: OpenedColumns,
  given: DraftRecord["columns"],
): Promise<DraftColumnsView> {
  const after = lastHeaderRow(sheet, mapping);
  const stored = await drafts.readRows(sheet.draft, { after, limit: SAMPLE_ROWS });
  const rows = stored.map((row) => sheet.effective(row));
  const samples = (index: number): readonly string[] => {
    const texts = rows.map(({ cells }) => cellToText(cells[index]).slice(0, SAMPLE_CHARS));
    return [...new Set(texts.filter((text) => text.trim() !== ""))].slice(0, MAX_SAMPLES);
  };
  const chosen = new Set(Object.keys(given.columns).map(compareKey));
  const known = new Set([...recalled.columns.keys()].map(compareKey));
  const added = new Set((given.added ?? []).map(({ header }) => header));
  const problems = issues.map(toProblem);
  const { rules } = await readStoredRules({ prices });
  const how = { mapping, chosen, known, useOf: createUnsentUses(mapping, rules) };
  const repeated = listRepeated(mapping);
  return {
    columns: [
      ...mapping.columns.map((column) =>
        Object.assign(
          {
            samples: samples(column.index),
            problem: findProblem(column, mapping),
            isChosen: chosen.has(compareKey(column.header)),
            guess: null,
            unclear: null,
            isUsed: false,
          },
          describeColumn(column, how),
          added.has(column.header) && because("sure", REASONS.added),
          repeated.has(column.header) && because("open", REASONS.repeated),
          given.leftOut?.includes(column.index) === true && describeLeftOut(column, sheet),
        ),
      ),
      ...surplusColumns(mapping.columns.length, sheet, samples),
    ],
    fields: FIELDS.map(toField),
    missing: mapping.missingRequired.flatMap((key) => {
      const field = findField(key);
      return field === undefined ? [] : [toField(field)];
    }),
    constants: Object.fromEntries(recalled.constants),
    defaults: Object.fromEntries(mapping.defaults),
    forNew: given.forNew ?? {},
    platform: describePlatform(mapping.platform)[0] ?? null,
    problems,
    notes: recalled.notes,
    skipped: listSkipped(rows, createSheetReader(mapping).kindsBelow(after)),
  };
}

function listSkipped(
  rows: readonly SourceRow[],
  readKind: ReturnType<ReturnType<typeof createSheetReader>["kindsBelow"]>,
): DraftColumnsView["skipped"] {
  return rows.flatMap((row) => {
    const kind = readKind(row);
    if (kind === "product" || kind === "empty") return [];
    const text = row.cells.map(cellToText).find((each) => each.trim() !== "") ?? "";
    return [{ row: row.row, text: text.slice(0, SAMPLE_CHARS) }];
  });
}

const toField = ({ key, header, requiredForAdd, takesDefault }: FieldDefinition): DraftField => ({
  key,
  label: header,
  isRequired: requiredForAdd,
  isForAll: !OWN_FIELDS.has(key) && !key.startsWith("image_"),
  isForNew: takesDefault,
});

/** Fields in which products differ. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "product_code",
  "product_id",
  "title",
  "sub_title",
  "description",
]);

const toProblem = ({
  code,
  message,
  suggestion,
}: {
  readonly code: string;
  readonly message: Localized;
  readonly suggestion?: Localized | undefined;
}): DraftProblem => {
  // A draft need not be another file for it, as its person can leave a column out.
  const advice = code === "E_HEADER_DUP" ? CHOOSE_ONE : suggestion;
  return {
    code,
    message: {
      tr: [message.tr, advice?.tr].filter(Boolean).join(" "),
      en: [message.en, advice?.en].filter(Boolean).join(" "),
    },
  };
};

const CHOOSE_ONE: Localized = {
  tr: "Hangisinin kullanılacağını seçin; öteki okunmaz.",
  en: "Choose which one to use; the other is not read.",
};

function findProblem({ letter, header }: Column, mapping: ColumnMapping): DraftProblem | null {
  const issue = [...mapping.issues, ...mapping.warnings].find(
    ({ cell, column, code }) =>
      code.startsWith("E_") && column === header && /^[A-Z]*/u.exec(cell)?.[0] === letter,
  );
  return issue === undefined ? null : toProblem(issue);
}

/** Headers of several columns, of which a person has not chosen one yet. */
const listRepeated = ({ issues }: ColumnMapping): ReadonlySet<string> =>
  new Set(issues.filter(({ code }) => code === "E_HEADER_DUP").map(({ column }) => column));

type Described = Omit<
  DraftColumn,
  "samples" | "problem" | "isChosen" | "guess" | "unclear" | "isUsed"
> &
  Partial<Pick<DraftColumn, "guess" | "isUsed">>;

interface ColumnHow {
  readonly mapping: ColumnMapping;
  readonly chosen: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly useOf: ReturnType<typeof createUnsentUses>;
}

function describeColumn(column: Column, how: ColumnHow): Described {
  const { only } = column;
  if (only === undefined) return describeCommon(column, how);
  const read = { ...column, target: only.target };
  const { label, ...described } = describeCommon(only.isAlone ? column : read, how);
  const shown = {
    tr: `${label.tr} (yalnız ${only.store})`,
    en: `${label.en} (only ${only.store})`,
  };
  if (only.isAlone) return { ...described, label: shown, ...because("sure", REASONS.alone) };
  const common = only.over === undefined ? undefined : how.mapping.columns[only.over];
  const reason = common === undefined ? REASONS.ofOther : replaces(common);
  const field = how.chosen.has(compareKey(column.header)) ? described.field : OF_STORE;
  return { ...described, field, label: shown, guess: null, ...because("sure", reason) };
}

/** In place of a field, for a column that is used in one store beside a common one. */
const OF_STORE = "store";

const replaces = ({ header, letter }: Column): Localized => ({
  tr: `Bu mağazada dolu hücreleri “${header}” (${letter}) sütununun yerine geçer.`,
  en: `In this store its filled cells replace those of “${header}” (${letter}).`,
});

function describeCommon(column: Column, how: ColumnHow): Described {
  const { index, letter, header, target } = column;
  const place = { index, letter, header };
  const origin = originOf(header, how);
  if (target.kind === "field") {
    const label = findField(target.field)?.header ?? fieldLabels(target.field);
    return { ...place, field: target.field, label, ...(origin ?? matchOf(column, how)) };
  }
  if (target.kind === "property") {
    const label = { tr: `Özellik: ${target.name}`, en: `Property: ${target.name}` };
    const why = origin ?? because("sure", REASONS.property);
    return { ...place, field: `property:${target.name}`, label, ...why };
  }
  const use = how.useOf(column);
  const isKnown =
    target.kind !== "unknown" || header === "" || how.mapping.variantHeaders.has(header);
  const described = isKnown ? describeUnused(header, how) : describeUnknown(header, how);
  // A column of an unknown header is still sent where the category has a property of that name.
  return { ...place, ...described, ...(use !== undefined && { ...USES[use], isUsed: true }) };
}

/** A column that a person left out of several with one header is shown with that header. */
const describeLeftOut = (
  { index, letter }: Column,
  { fileHeader }: DraftSheet,
): Described & Pick<DraftColumn, "isChosen"> => ({
  index,
  letter,
  header: cellToText(fileHeader.cells[index]),
  field: "-",
  label: LEFT_OUT,
  guess: null,
  isChosen: true,
  ...because("sure", REASONS.chosen),
});

type Use = Omit<Described, "index" | "letter" | "header">;

function describeUnused(header: string, how: ColumnHow): Use {
  // A column of both is read for the rows that are not on sale.
  if (createSheetReader(how.mapping).statusHeaders.has(header)) {
    return { field: "-", label: STATUS, isUsed: true, ...because("sure", REASONS.status) };
  }
  if (how.mapping.variantHeaders.has(header)) {
    return { field: "-", label: VARIANTS, isUsed: true, ...because("sure", REASONS.variant) };
  }
  const reason = header === "" ? REASONS.empty : REASONS.unused;
  return { field: "-", label: LEFT_OUT, ...(originOf(header, how) ?? because("sure", reason)) };
}

function describeUnknown(header: string, { mapping: { likely } }: ColumnHow): Use {
  const guess = likely.find((each) => each.header === header)?.field ?? null;
  const field = guess === null ? undefined : findField(guess)?.header;
  const reason = field === undefined ? REASONS.unknown : suggestField(field);
  return { field: null, guess, label: { tr: header, en: header }, ...because("open", reason) };
}

type Why = Pick<DraftColumn, "reason" | "confidence">;

const because = (confidence: DraftColumn["confidence"], reason: Localized): Why => ({
  confidence,
  reason,
});

function originOf(header: string, { chosen, known }: ColumnHow): Why | undefined {
  const key = compareKey(header);
  if (chosen.has(key)) return because("sure", REASONS.chosen);
  return known.has(key) ? because("sure", REASONS.remembered) : undefined;
}

/** A header of the project's own means its field; another one is a name that others use. */
function matchOf({ header, target }: Column, { mapping }: ColumnHow): Why {
  const own = target.kind === "field" ? findField(target.field)?.header : undefined;
  const isOwn = [own?.tr, own?.en].some((text) => compareKey(text ?? "") === compareKey(header));
  if (isOwn) return because("sure", REASONS.own);
  const { label } = mapping.platform ?? {};
  return label === undefined
    ? because("likely", REASONS.alias)
    : because("likely", {
        tr: `${label} dosyalarında bu sütunun anlamı budur.`,
        en: `This is what the column means in files of ${label}.`,
      });
}

const suggestField = ({ tr, en }: Localized): Localized => ({
  tr: `Başlık tanınmadı; hücrelerine bakılırsa “${tr}” olabilir.`,
  en: `The header is not known; by its cells it may be “${en}”.`,
});

const LEFT_OUT: Localized = { tr: "Kullanılmıyor", en: "Left out" };
const STATUS: Localized = { tr: "Satış durumu", en: "On sale or not" };
const VARIANTS: Localized = { tr: "Seçenekler", en: "Variants" };

const REASONS = {
  chosen: { tr: "Siz seçtiniz.", en: "You have chosen it." },
  alone: {
    tr: "Yalnız bu mağaza için; bütün mağazalar için bir sütunu yok.",
    en: "It is for this store only; no column has it for all stores.",
  },
  ofOther: {
    tr: "Başka bir mağazanın sütunu; bu mağazada kullanılmaz.",
    en: "It is a column of another store, and is not used in this one.",
  },
  added: { tr: "Bu sütunu siz eklediniz.", en: "You have added this column." },
  remembered: {
    tr: "Bu başlıkları taşıyan önceki dosyada böyle onaylamıştınız.",
    en: "You accepted it so in an earlier file with these headers.",
  },
  own: { tr: "Başlık bu alanın kendi adı.", en: "The header is the field's own name." },
  alias: {
    tr: "Başlık, bu alan için sık kullanılan adlardan biri.",
    en: "The header is one of the names that are used for this field.",
  },
  property: {
    tr: "Başlık bir ürün özelliği olduğunu söylüyor.",
    en: "The header says that it is a property of the product.",
  },
  variant: {
    tr: "Hangi satırların aynı ürünün seçenekleri olduğunu söylüyor.",
    en: "It says which rows are variants of one product.",
  },
  status: {
    tr: "Hangi satırların satışta olduğunu söylüyor; satışta olmayanlar gönderilmez.",
    en: "It says which rows are on sale; the others are not sent.",
  },
  unused: {
    tr: "Bu sütun bilinir ve mağazaya gönderilmez.",
    en: "This column is known and is not sent to the store.",
  },
  repeated: {
    tr: "Aynı başlık birden çok sütunda var.",
    en: "Several columns have this header.",
  },
  empty: { tr: "Sütunun başlığı yok.", en: "The column has no header." },
  unknown: {
    tr: "Başlık tanınmadı; alan seçilmezse yalnızca kategorinin özelliğiyse gönderilir.",
    en: "The header is not known; without a field it is sent only where it is a property of the category.",
  },
  surplus: {
    tr: "Bazı satırlar başlıktan daha uzun; fazla hücreler kaymış olabilir.",
    en: "Some rows are longer than the header; their cells may have slipped.",
  },
} as const satisfies Record<string, Localized>;

const USES = {
  cost: {
    label: { tr: "Maliyet", en: "Cost" },
    ...because("sure", {
      tr: "Gönderilmez; fiyat kuralları ve maliyetin altında satış denetimi kullanır.",
      en: "It is not sent; price rules and the check for sales below cost use it.",
    }),
  },
  rules: {
    label: { tr: "Fiyat kuralları", en: "Price rules" },
    ...because("sure", {
      tr: "Fiyat kurallarınız kullanır; bir alan olarak gönderilmez.",
      en: "Your price rules use it; it is not sent as a field.",
    }),
  },
} as const satisfies Record<string, Partial<DraftColumn>>;

/** Columns beyond the header, in which rows with too many cells continue. */
function surplusColumns(
  width: number,
  { source }: DraftSheet,
  samples: (index: number) => readonly string[],
): readonly DraftColumn[] {
  const count = Math.max(0, source.maxWidth - width);
  return Array.from({ length: count }, (_, at) => ({
    index: width + at,
    letter: columnLetter(width + at),
    header: "",
    field: "-",
    label: LEFT_OUT,
    ...because("sure", REASONS.surplus),
    isChosen: false,
    guess: null,
    unclear: null,
    isUsed: false,
    samples: samples(width + at),
    problem: null,
  }));
}

/** Number of decimals that prices have at least; other numbers have those that they need. */
const MIN_DECIMALS: ReadonlyMap<FieldKey, number> = new Map([
  ["price", 2],
  ["list_price", 2],
  ["discount_value", 0],
  ["stock", 0],
]);

/** The language that writes numbers with the sign. */
const LANG_OF: Readonly<Record<"comma" | "point", Lang>> = { comma: "tr", point: "en" };

/** A number cell has at most 15 digits that count; what a computer adds behind them is no part of it. */
const MAX_DECIMALS = 15;
const MAX_DIGITS = 15;

/** Finds the number cells in columns of numbers; a text shows what the file says. */
export function createShownNumbers(
  mapping: ColumnMapping,
  notations: Pick<NumberNotations, "columns">,
): (row: Pick<SourceRow, "cells">) => readonly ShownNumber[] {
  const columns = mapping.columns.flatMap((column) => {
    const { target, at } = readingOf(column);
    const minDecimals = target.kind === "field" ? MIN_DECIMALS.get(target.field) : undefined;
    return minDecimals === undefined ? [] : [{ index: column.index, at, minDecimals }];
  });
  return ({ cells }) =>
    columns.flatMap(({ index: column, at, minDecimals }) => {
      const cell = cells[column];
      if (typeof cell !== "number" || !Number.isFinite(cell)) return [];
      const value = Number(cell.toPrecision(MAX_DIGITS));
      const sign = notations.columns.get(at)?.decimal;
      const show = (lang: Lang): string =>
        formatNumber(value, lang, { minDecimals, maxDecimals: MAX_DECIMALS });
      // What is typed is read by the notation of the column, where its texts have one.
      const type = (lang: Lang): string => {
        const notation = sign === undefined ? lang : LANG_OF[sign];
        return withoutGroups(show(notation), notation);
      };
      const text = { tr: show("tr"), en: show("en") };
      return [{ column, text, typed: { tr: type("tr"), en: type("en") } }];
    });
}

/** A number without marks of thousands, in both languages. */
export const typeNumber = (value: number): Localized => {
  const type = (lang: Lang): string =>
    withoutGroups(formatNumber(value, lang, { maxDecimals: MAX_DECIMALS }), lang);
  return { tr: type("tr"), en: type("en") };
};

const withoutGroups = (text: string, lang: Lang): string =>
  text.replaceAll(lang === "tr" ? "." : ",", "");
