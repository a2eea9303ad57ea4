/** Asks on a terminal what a name in the file means, once for all its rows. */

import type { Terminal, Choice } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import type { AskName } from "@catalog/importer";
import { findNearestChoice } from "@catalog/report";
import type { OpenNameCount } from "@catalog/runs";

import { textsFor } from "../texts.ts";

const LEAVE = "leave";
const STOP = "stop";
const MEANS = "means:";

/** Creates the question; cancelling it leaves this name and all later ones open. */
export function askNameOn(terminal: Terminal, lang: Lang): AskName | undefined {
  if (terminal.choose === undefined) return undefined;
  return async (name) => {
    const answer = await terminal.choose?.(toQuestion(name, lang), toChoices(name, lang));
    if (answer === LEAVE) return { kind: "leave" };
    if (answer === undefined || !answer.startsWith(MEANS)) return { kind: "stop" };
    return { kind: "means", target: answer.slice(MEANS.length) };
  };
}

const QUESTIONS = {
  tr: (column: string, value: string, rows: string) =>
    `${column}: “${value}” mağazadaki adlardan biriyle eşleşmedi (${rows}). Hangisi olsun?`,
  en: (column: string, value: string, rows: string) =>
    `${column}: “${value}” matches no single name of the store (${rows}). Which one is it?`,
};

function toQuestion({ column, value, rows }: OpenNameCount, lang: Lang): string {
  return QUESTIONS[lang](column, value, textsFor(lang).rows(rows));
}

const LABELS = {
  tr: { leave: "Hiçbiri; bu satırlar hatalı kalsın", stop: "Sormayı bırak" },
  en: { leave: "None of them; leave these rows as errors", stop: "Stop asking" },
} as const;

/** The first choice is the one that Enter takes, so that a name stands there only if it is near. */
function toChoices(name: OpenNameCount, lang: Lang): readonly Choice[] {
  const nearest = findNearestChoice(name);
  const ordered = nearest === undefined ? name.choices : [...new Set([nearest, ...name.choices])];
  const means = ordered.map((choice) => ({ value: `${MEANS}${choice}`, label: choice }));
  const leave = { value: LEAVE, label: LABELS[lang].leave };
  const stop = { value: STOP, label: LABELS[lang].stop };
  return nearest === undefined ? [leave, ...means, stop] : [...means, leave, stop];
}
