/** What is said of a list of actions as a whole: why it is refused, and what to read before it is sent. */

import { CatalogError } from "@catalog/connection";
import { formatNumber, InputError, type Lang, type Localized } from "@catalog/i18n";
import { VALUE_KEYWORDS } from "@catalog/mapping";
import type { ActionName, RunFile, RunWarning } from "@catalog/runs";

import {
  type ActionSheetKind,
  type CodeCompany,
  findSheetKind,
  type HeaderKind,
} from "./action-sheet.ts";

/** What the sheet of a kind holds, and the command that takes it. */
const SHEETS: Readonly<Record<HeaderKind, Localized & { readonly command: string }>> = {
  answers: { tr: "soruların", en: "questions", command: "catalog answer" },
  packages: { tr: "siparişlerin", en: "orders", command: "catalog orders accept" },
  templates: {
    tr: "teslimat şablonlarının",
    en: "shipping templates",
    command: "catalog shipping templates import",
  },
};

/** Refuses a file that lacks columns, and names the command for it where it is a file of another kind. */
export function missingColumns(
  { name, sheet, headerRow, header }: RunFile,
  kind: ActionSheetKind,
  missing: readonly { readonly header: Localized }[],
): CatalogError {
  const other = findSheetKind(header);
  const own = kind === "codes" ? "packages" : kind;
  const sheetOf = other === undefined || other === own ? undefined : SHEETS[other];
  const suggestion: Localized = sheetOf
    ? {
        tr: `Bu, ${sheetOf.tr} dosyası; onu şu komut alır: ${sheetOf.command}`,
        en: `This is a file of ${sheetOf.en}; the command for it: ${sheetOf.command}`,
      }
    : {
        tr: "Dosyayı yeniden dışa aktarın ve sütun başlıklarını değiştirmeyin.",
        en: "Export the file again and leave its headers as they are.",
      };
  const issues = missing.map((column, index) => ({
    code: "E_COLUMN_MISSING",
    sheet,
    row: headerRow,
    column: "",
    cell: "",
    value: "",
    message: {
      tr: `“${column.header.tr}” sütunu yok.`,
      en: `There is no column “${column.header.en}”.`,
    },
    ...(index === missing.length - 1 && { suggestion }),
  }));
  return new CatalogError("E_FILE_COLUMNS", name, issues);
}

/** Refuses a company that no code can be asked of. */
export function unknownCompany(name: string, companies: readonly CodeCompany[]): InputError {
  const names = companies.map((one) => one.name).join(", ");
  return new InputError({
    tr: `--company: “${name}” adlı tek bir kargo firması yok. Firmalar: ${names}`,
    en: `--company: there is not exactly one shipping company “${name}”. The companies: ${names}`,
  });
}

const count = (value: number, lang: Lang): string => formatNumber(value, lang);

/** Longer answers are shortened in a warning. */
const MAX_QUOTED_CHARS = 60;

function quote(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS - 1)}…` : line;
}

/** One answer for nearly all questions may have been filled down by a slip. */
export const warnSameAnswer = (answer: string, rows: number, all: number): RunWarning => ({
  code: "W_SAME_ANSWER",
  message: {
    tr: `${count(all, "tr")} sorunun ${count(rows, "tr")} tanesine aynı yanıt verilecek: “${quote(answer)}”`,
    en: `${count(rows, "en")} of ${count(all, "en")} questions get the same answer: “${quote(answer)}”`,
  },
});

/** A list without a column of actions is one of packages that all get the same. */
export const warnWhole = (packages: number): RunWarning => ({
  code: "W_WHOLE_LIST",
  message: {
    tr: `Dosyada “İşlem” sütunu yok: listedeki bütün paketler (${count(packages, "tr")}) bu işleme girer.`,
    en: `The file has no column “Action”, so this is done with every package of the list (${count(packages, "en")}).`,
  },
});

const wordOf = (action: ActionName, lang: Lang): string =>
  VALUE_KEYWORDS.package_action.find(({ value }) => value === action)?.[lang] ?? action;

/** Rows that ask for something else are left alone. */
export function warnOthers(only: ActionName, others: ReadonlyMap<ActionName, number>): RunWarning {
  const list = (lang: Lang): string =>
    [...others].map(([action, rows]) => `${wordOf(action, lang)}: ${count(rows, lang)}`).join(", ");
  const commands = [...others.keys()].map((action) => `catalog orders ${action}`).join(", ");
  return {
    code: "W_OTHER_ACTIONS",
    message: {
      tr: `Bu komut yalnız “${wordOf(only, "tr")}” satırlarını yapar. Başka işlem isteyen satırlar bırakıldı (${list("tr")}); onlar için: ${commands}`,
      en: `This command does the rows “${wordOf(only, "en")}” alone. Rows that ask for something else were left (${list("en")}); for them: ${commands}`,
    },
  };
}
