/** Asks on a terminal which sheet of a workbook is read. */

import type { Choice, Terminal } from "@catalog/console";
import { formatNumber, type Lang } from "@catalog/i18n";
import type { AskSheet } from "@catalog/importer";

const NONE = "none";
const READ = "read:";
/** Stands for all sheets with the same headers. */
const ALL = "all";

type Sheets = Parameters<AskSheet>[0]["sheets"];

/** Creates the question; cancelling it gives no answer. */
export function askSheetOn(terminal: Terminal, lang: Lang): AskSheet | undefined {
  if (terminal.choose === undefined) return undefined;
  const texts = TEXTS[lang];
  const choose = async (
    question: string,
    choices: readonly Choice[],
  ): Promise<string | undefined> => await terminal.choose?.(question, choices);
  const toChoices = (sheets: Sheets): readonly Choice[] =>
    sheets.map(({ name, rows }) => ({
      value: `${READ}${name}`,
      label: rows === undefined ? name : `${name} (${texts.rows(rows)})`,
    }));
  const askMore = async (sheets: Sheets, first: string): ReturnType<AskSheet> => {
    const chosen = [first];
    while (chosen.length < sheets.length) {
      const left = sheets.filter(({ name }) => !chosen.includes(name));
      const enough = { value: NONE, label: texts.enough(chosen) };
      const more = await choose(texts.more, [enough, ...toChoices(left)]);
      if (more === undefined) return undefined;
      if (more === NONE) break;
      chosen.push(more.slice(READ.length));
    }
    return chosen.length === 1 ? first : chosen;
  };
  return async ({ file, sheets }) => {
    const answer = await choose(texts.question(file), [
      ...toChoices(sheets),
      { value: READ + ALL, label: texts.all },
      { value: NONE, label: texts.none },
    ]);
    if (answer?.startsWith(READ) !== true) return undefined;
    const first = answer.slice(READ.length);
    // Of two sheets, one or all of them are every choice.
    if (answer === READ + ALL || sheets.length < 3) return first;
    return await askMore(sheets, first);
  };
}

const TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasının birden çok sayfasında veri var. Hangisi okunsun?`,
    rows: (rows: number) => `${formatNumber(rows, "tr")} dolu satır`,
    all: "Aynı başlıklı sayfaların hepsi, tek dosya gibi",
    none: "Hiçbiri; dosya okunmasın",
    more: "Onunla birlikte başka bir sayfa da okunsun mu?",
    enough: (names: readonly string[]) => `Hayır; okunacaklar: ${names.join(", ")}`,
  },
  en: {
    question: (file: string) => `Several sheets of “${file}” have data. Which one is to be read?`,
    rows: (rows: number) => `${formatNumber(rows, "en")} filled ${rows === 1 ? "row" : "rows"}`,
    all: "All sheets with the same headers, as one file",
    none: "None of them; do not read the file",
    more: "Is another sheet to be read together with it?",
    enough: (names: readonly string[]) => `No; these are read: ${names.join(", ")}`,
  },
} as const;
