/** Asks on a terminal in which encoding a file's letters are right. */

import type { Choice, Terminal } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import type { AskEncoding } from "@catalog/importer";

const NONE = "none";
const READ_AS = "read-as:";

/** Creates the question; cancelling it gives no answer. */
export function askEncodingOn(terminal: Terminal, lang: Lang): AskEncoding | undefined {
  if (terminal.choose === undefined) return undefined;
  return async ({ file, readings }) => {
    const choices: readonly Choice[] = [
      ...readings.map(({ encoding, words }) => ({
        value: `${READ_AS}${encoding}`,
        label: `${words.join(" · ")} (${encoding})`,
      })),
      { value: NONE, label: TEXTS[lang].none },
    ];
    const answer = await terminal.choose?.(TEXTS[lang].question(file), choices);
    return answer?.startsWith(READ_AS) === true ? answer.slice(READ_AS.length) : undefined;
  };
}

const TEXTS = {
  tr: {
    question: (file: string) =>
      `“${file}” dosyasındaki harfler birden çok biçimde okunabiliyor. Hangisi doğru?`,
    none: "Hiçbiri; dosya okunmasın",
  },
  en: {
    question: (file: string) =>
      `The letters in “${file}” can be read in more than one way. Which one is right?`,
    none: "None of them; do not read the file",
  },
} as const;
