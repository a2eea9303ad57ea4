/** Asks on a terminal which sheet of a workbook is read. */

import type { Choice, Terminal } from "@catalog/console";
import { formatNumber, type Lang } from "@catalog/i18n";
import type { AskSheet } from "@catalog/importer";

const NONE = "none";
const READ = "read:";
/** Stands for all sheets with the same headers. */
const ALL = "all";

/** Creates the question; cancelling it gives no answer. */
export function askSheetOn(terminal: Terminal, lang: Lang): AskSheet | undefined {
  if (terminal.choose === undefined) return undefined;
  return async ({ file, sheets }) => {
    const choices: readonly Choice[] = [
      ...sheets.map(({ name, rows }) => ({
        value: `${READ}${name}`,
        label: rows === undefined ? name : `${name} (${TEXTS[lang].rows(rows)})`,
      })),
      { value: READ + ALL, label: TEXTS[lang].all },
      { value: NONE, label: TEXTS[lang].none },
    ];
    const answer = await terminal.choose?.(TEXTS[lang].question(file), choices);
    return answer?.startsWith(READ) === true ? answer.slice(READ.length) : undefined;
  };
}

const TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasının birden çok sayfasında veri var. Hangisi okunsun?`,
    rows: (rows: number) => `${formatNumber(rows, "tr")} dolu satır`,
    all: "Aynı başlıklı sayfaların hepsi, tek dosya gibi",
    none: "Hiçbiri; dosya okunmasın",
  },
  en: {
    question: (file: string) => `Several sheets of “${file}” have data. Which one is to be read?`,
    rows: (rows: number) => `${formatNumber(rows, "en")} filled ${rows === 1 ? "row" : "rows"}`,
    all: "All sheets with the same headers, as one file",
    none: "None of them; do not read the file",
  },
} as const;
