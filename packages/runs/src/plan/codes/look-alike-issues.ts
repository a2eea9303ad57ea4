/** The issue of a row whose code looks like codes in use, and what speaks for one product. */

import type { Lang, Localized } from "@catalog/i18n";

import type { TakenCode } from "../../ports/code-registry.ts";
import { toIssue } from "../../row/issue-texts.ts";
import type { RowIssue } from "../../row/issue.ts";
import type { CandidateRow } from "../decide-row.ts";

const MAX_NAMED = 3;

/** A row whose code looks like others. */
export interface LookAlikeRow extends Pick<CandidateRow, "code" | "codeLocation"> {
  /** Title of the product that the row would add. */
  readonly title: string | undefined;
}

/** Creates the issue of a row whose code looks like codes in use. */
export function toLookAlikeIssue(row: LookAlikeRow, taken: readonly TakenCode[]): RowIssue {
  return toIssue("E_CODE_SUSPECT", row.codeLocation, describeLookAlikes(row, taken));
}

/** Says where the codes are in use, and what speaks for one product. */
export function describeLookAlikes(row: LookAlikeRow, taken: readonly TakenCode[]): Localized {
  const listed = new Set(taken.flatMap(({ where, code }) => (where === "store" ? [code] : [])));
  // What the store shows says enough, whichever run has sent it.
  const telling = taken.filter(({ where, code }) => where === "store" || !listed.has(code));
  const named = telling.slice(0, MAX_NAMED);
  const others = (lang: Lang): string =>
    named.map((other) => WHERE[other.where](other, toNotes(row, other, lang))[lang]).join(", ");
  return describeAlike({
    others: { tr: others("tr"), en: others("en") },
    hasLostZeros: named.some(({ code }) => hasLostZeros(row.code, code)),
  });
}

/** A row of the same file that would add a product, with its code. */
export interface AlikeRow {
  readonly code: string;
  /** The row as it is named for people. */
  readonly row: string;
}

/** Creates the issue of a row that has the title of an earlier row and nearly its code. */
export function toAlikeRowIssue(row: LookAlikeRow, { code, row: at }: AlikeRow): RowIssue {
  const others = {
    tr: `bu dosyanın ${at}. satırında “${code}” var (${SAME_TITLE.tr})`,
    en: `row ${at} of this file has “${code}” (${SAME_TITLE.en})`,
  };
  const alike = describeAlike({ others, hasLostZeros: hasLostZeros(row.code, code) });
  return toIssue("E_CODE_SUSPECT", row.codeLocation, alike);
}

interface AlikeCodes {
  readonly others: Localized;
  readonly hasLostZeros: boolean;
}

function describeAlike(alike: AlikeCodes): Localized {
  const zeros = alike.hasLostZeros ? LOST_ZEROS : NOTHING;
  return { tr: `${alike.others.tr}${zeros.tr}`, en: `${alike.others.en}${zeros.en}` };
}

const NOTHING: Localized = { tr: "", en: "" };

const LOST_ZEROS: Localized = {
  tr: "; Excel baştaki sıfırları silmiş olabilir",
  en: "; Excel may have removed leading zeros",
};

const SAME_TITLE: Localized = { tr: "başlık da aynı", en: "with the same title" };

/** What stands behind a code, each in brackets: the id of its product or run, and an equal title. */
function toNotes({ title }: LookAlikeRow, { id, title: other }: TakenCode, lang: Lang): string {
  const isSame = title !== undefined && other !== undefined && titleKey(title) === titleKey(other);
  return [id, ...(isSame ? [SAME_TITLE[lang]] : [])].map((note) => ` (${note})`).join("");
}

/** Titles that differ in case, width or blanks share this key. */
export const titleKey = (title: string): string =>
  title.normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLocaleLowerCase("tr");

const DIGITS = /^\d+$/u;

/** Whether two codes are the same number with other leading zeros. */
export function hasLostZeros(one: string | null, other: string): boolean {
  if (one === null || !DIGITS.test(one) || !DIGITS.test(other)) return false;
  return withoutZeros(one) === withoutZeros(other);
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/u, "");

const WHERE: Readonly<Record<TakenCode["where"], (taken: TakenCode, notes: string) => Localized>> =
  {
    store: ({ code }, notes) => ({
      tr: `mağazada “${code}” var${notes}`,
      en: `the store has “${code}”${notes}`,
    }),
    sent: ({ code }, notes) => ({
      tr: `“${code}” daha önce gönderildi${notes}`,
      en: `“${code}” was sent before${notes}`,
    }),
    waiting: ({ code }, notes) => ({
      tr: `“${code}” gönderilmeyi bekliyor${notes}`,
      en: `“${code}” waits to be sent${notes}`,
    }),
  };
