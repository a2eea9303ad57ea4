/** Asks on a terminal for the field of a column whose header is ambiguous. */

import type { Choice, Terminal } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import type { AskColumn } from "@catalog/importer";

const STOP = "stop";
const MAP = "map:";

const LABELS = {
  tr: { which: "Hangisi olsun?", stop: "Vazgeç; dosya kullanılmasın" },
  en: { which: "What is it?", stop: "Stop; do not use the file" },
} as const;

/** Creates the question; cancelling it refuses the file. */
export function askColumnOn(terminal: Terminal, lang: Lang): AskColumn | undefined {
  if (terminal.choose === undefined) return undefined;
  return async ({ issue, choices }) => {
    const { which, stop } = LABELS[lang];
    const offered: readonly Choice[] = [
      ...choices.map(({ map, label }) => ({ value: `${MAP}${map}`, label: label[lang] })),
      { value: STOP, label: stop },
    ];
    const answer = await terminal.choose?.(`${issue.message[lang]} ${which}`, offered);
    if (answer === undefined || !answer.startsWith(MAP)) return { kind: "stop" };
    return { kind: "map", to: answer.slice(MAP.length) };
  };
}
