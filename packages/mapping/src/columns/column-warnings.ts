/** Warnings about columns that are not used; columns with the same reason share one line. */

import type { Localized } from "@catalog/i18n";

import { findField } from "../fields/fields.ts";
import { splitRuleField } from "../names/value-rules.ts";
import type { RowMapper } from "../rows/row-mapper.ts";
import { isPlausible, mapFlag } from "./likely-columns.ts";
import type { ColumnMapping } from "./map-columns.ts";

type ColumnWarning = ColumnMapping["warnings"][number];

/** A warning about one column, or about all with the same reason. */
interface SharedWarning {
  readonly code: string;
  readonly message: Localized;
}

/** Warnings that are told for all columns together. */
const SHARED: Readonly<Record<string, (headers: string, count: number) => Localized>> = {
  W_COLUMN_UNKNOWN: (headers, count) => ({
    tr: `Tanınmayan ${count} sütun kullanılmadı: ${headers}.`,
    en: `${count} ${count === 1 ? "column" : "columns"} that ${count === 1 ? "is" : "are"} not known ${count === 1 ? "was" : "were"} not used: ${headers}.`,
  }),
  W_COLUMN_NOT_SENT: (headers, count) => ({
    tr: `Pazaryerinde karşılığı olmayan ${count} sütun gönderilmez: ${headers}.`,
    en: `${count} ${count === 1 ? "column" : "columns"} for which the marketplace has no field ${count === 1 ? "is" : "are"} not sent: ${headers}.`,
  }),
};

/** What is known once the names of the rows were looked up. */
interface ReadNames {
  readonly mapper: Pick<RowMapper, "propertyColumns">;
  /** Names that the store does not know. */
  readonly openNames: readonly { readonly field: string }[];
}

/**
 * Lists the warnings of a file. An unknown header that is a property of some category is left out.
 */
export function toColumnWarnings(
  mapping: ColumnMapping,
  { mapper: { propertyColumns }, openNames }: ReadNames,
): readonly SharedWarning[] {
  const open = new Set(openNames.map(({ field }) => splitRuleField(field).field));
  const used = new Set(
    mapping.columns.filter(({ index }) => propertyColumns.has(index)).map(({ header }) => header),
  );
  const lasting = mapping.warnings.filter(
    ({ code, column }) => code !== "W_COLUMN_UNKNOWN" || !used.has(column),
  );
  const groups = Map.groupBy(lasting, (warning) =>
    warning.code in SHARED ? warning.code : warning,
  );
  return [...groups.values()].map((group) => toWarning(mapping, group, open));
}

function toWarning(
  mapping: ColumnMapping,
  group: readonly ColumnWarning[],
  open: ReadonlySet<string>,
): SharedWarning {
  const [first] = group;
  if (first === undefined) throw new Error("a group has no warning");
  const { code } = first;
  const share = SHARED[code];
  if (share === undefined) return { code, message: withAdvice(first) };
  const named = [...new Set(group.map(({ column }) => `“${column}”`))];
  const { tr, en } = share(named.join(", "), named.length);
  const advice = code === "W_COLUMN_UNKNOWN" ? adviseOnUnknown(mapping, group, open) : NOTHING;
  return { code, message: { tr: tr + advice.tr, en: en + advice.en } };
}

const NOTHING: Localized = { tr: "", en: "" };

const withAdvice = ({ message, suggestion }: ColumnWarning): Localized =>
  suggestion === undefined
    ? message
    : { tr: `${message.tr} ${suggestion.tr}`, en: `${message.en} ${suggestion.en}` };

/** Flags for the columns that may be fields, or an example of such a flag. */
function adviseOnUnknown(
  mapping: ColumnMapping,
  group: readonly ColumnWarning[],
  open: ReadonlySet<string>,
): Localized {
  const proposed = findProposals(mapping, new Set(group.map(({ column }) => column)), open);
  const write = (lang: "tr" | "en"): string =>
    [...proposed]
      .map(([header, field]) => mapFlag(header, findField(field)?.header[lang] ?? field))
      .join(" ");
  const example = group[0]?.column ?? "";
  return proposed.size > 0
    ? {
        tr: ` Şu alanlarsa komuta ekleyin: ${write("tr")}`,
        en: ` If they are these fields, add to the command: ${write("en")}`,
      }
    : {
        tr: ` Birini kullanmak için: ${mapFlag(example, "ALAN")}`,
        en: ` To use one of them: ${mapFlag(example, "FIELD")}`,
      };
}

/** The likely field of each of these headers; `open` are fields whose names are not known. */
function findProposals(
  mapping: ColumnMapping,
  headers: ReadonlySet<string>,
  open: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set<string>([
    ...mapping.constants.keys(),
    ...mapping.columns.flatMap(({ target }) => (target.kind === "field" ? [target.field] : [])),
  ]);
  const proposed = new Map<string, string>();
  const propose = (header: string, field: string): void => {
    if (!headers.has(header) || taken.has(field) || proposed.has(header)) return;
    taken.add(field);
    proposed.set(header, field);
  };
  for (const { header, field } of mapping.alternatives) {
    if (open.has(field) && headers.has(header)) proposed.set(header, field);
  }
  for (const { header, field } of mapping.likely) propose(header, field);
  for (const { header, target } of mapping.columns) {
    const field = target.kind === "unknown" ? target.suggestion : undefined;
    if (field !== undefined && isPlausible(field, header)) propose(header, field);
  }
  return proposed;
}
