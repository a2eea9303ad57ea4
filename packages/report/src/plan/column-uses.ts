/** Which column of the file became which field, with the first value in it. */

import { fieldLabel } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { columnLetter, findField } from "@catalog/mapping";
import type { RowRecord, RunRecord } from "@catalog/runs";

/** One column, or one value that holds for rows without a column of their own. */
export interface ColumnUse {
  /** Such as `C`; empty for a value that stands in no column. */
  readonly letter: string;
  /** As it stands in the file; where the value comes from, where it stands in no column. */
  readonly header: string;
  /** The field, as people read it; empty for a column that is not used. */
  readonly field: string;
  /** The first value that is not empty. */
  readonly sample: string;
}

/** Collects a sample of each column, row by row. */
export interface ColumnUses {
  observe(row: Pick<RowRecord, "cells">): void;
  /** Whether every column has a sample. */
  isComplete(): boolean;
  /** Empty for a run whose columns are not known. */
  list(): readonly ColumnUse[];
}

const MAX_SAMPLE_CHARS = 60;

/** Creates the table of a run. */
export function createColumnUses({ file, facts, progress, lang }: RunRecord): ColumnUses {
  const reading = facts?.reading?.columns;
  const used = reading?.used ?? [];
  const samples: string[] = used.map(() => "");
  let missing = used.length;
  return {
    observe({ cells }) {
      for (const [index, sample] of samples.entries()) {
        const text = sample === "" ? String(cells[index] ?? "").trim() : "";
        if (text === "") continue;
        samples[index] = text;
        missing -= 1;
      }
    },
    isComplete: () => missing === 0,
    list: () => [
      ...used.flatMap((target, index) => {
        const header = file.header[index] ?? "";
        if (header === "") return [];
        const field = nameTarget(target, lang);
        return [{ letter: columnLetter(index), header, field, sample: shorten(samples[index]) }];
      }),
      ...Object.entries(reading?.constants ?? {}).map(([key, value]) =>
        toFixed(key, value, ALL_ROWS[lang]),
      ),
      ...(progress.reading?.defaults ?? []).map(([key, value]) =>
        toFixed(key, value, NEW_PRODUCTS[lang]),
      ),
    ],
  };

  function toFixed(key: string, value: string, header: string): ColumnUse {
    return { letter: "", header, field: nameTarget(key, lang), sample: shorten(value) };
  }
}

const ALL_ROWS: Localized = { tr: "(bütün satırlar)", en: "(all rows)" };
const NEW_PRODUCTS: Localized = {
  tr: "(yeni ürünlerde varsayılan)",
  en: "(default of new products)",
};

const shorten = (text: string = ""): string =>
  text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS - 1)}…` : text;

function nameTarget(target: string, lang: Lang): string {
  if (target === "-" || target === "?") return "";
  if (target === "variants") return VARIANTS[lang];
  const property = /^property:(?<name>.*)$/su.exec(target)?.groups?.["name"];
  if (property !== undefined) return `${PROPERTY[lang]}: ${property}`;
  return findField(target)?.header[lang] ?? fieldLabel(target, lang);
}

const VARIANTS: Localized = { tr: "(varyantlar)", en: "(variants)" };
const PROPERTY: Localized = { tr: "Özellik", en: "Property" };
