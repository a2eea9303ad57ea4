/** What a person does next after a run, in order, each with its command. */

import { join } from "node:path";

import { type Localized, nameProgram, quoteWord } from "@catalog/i18n";
import type { Counts, RunRecord } from "@catalog/runs";

import { ruleCommand } from "../rule-command.ts";
import { escapeHtml } from "./escape.ts";

/** One thing to do, and the command for it. */
export interface NextStep {
  readonly text: Localized;
  /** Left out where nothing is typed. */
  readonly command?: string;
}

/** Names of which the command is shown; the others are like them. */
const MAX_NAMES = 3;

/** Lists the steps; a run that left nothing open has none. */
export function listNextSteps(run: RunRecord, counts: Counts): readonly NextStep[] {
  const names = run.facts?.reading?.openNames ?? [];
  return [
    ...sendingSteps(run, counts),
    ...names.slice(0, MAX_NAMES).map((name) => ({
      text: nameText(name.value, name.rows),
      command: ruleCommand(name, run.lang),
    })),
    ...correctingSteps(run, counts),
  ];
}

function sendingSteps({ id, state }: RunRecord, { pending, unknown }: Counts): readonly NextStep[] {
  if (pending > 0) return [state === "planned" ? sendPlan(id, pending) : goOn(id, pending)];
  return unknown > 0 ? [lookAgain(id, unknown)] : [];
}

/** The rows of a feed are corrected where it comes from, so that nothing is imported again. */
function correctingSteps(
  { id, kind, reportDir }: RunRecord,
  { held, invalid, duplicate, rejected }: Counts,
): readonly NextStep[] {
  const failed = kind === "import" ? invalid + duplicate + rejected : 0;
  const pathOf = (file: string): string => quoteWord(join(reportDir, file));
  const correct = { text: correctText(failed), command: `catalog import ${pathOf("failed.xlsx")}` };
  const decide = {
    text: decideText(id, held),
    command: `catalog release ${id} --approved ${pathOf("held.xlsx")}`,
  };
  return [...(failed > 0 ? [correct] : []), ...(held > 0 ? [decide] : [])];
}

const rowsEn = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

const correctText = (rows: number): Localized => ({
  tr: `failed.xlsx dosyasını açın, ${rows} satırın kırmızı hücrelerini düzeltip kaydedin, sonra yeniden yükleyin.`,
  en: `Open failed.xlsx, correct the red cells of ${rowsEn(rows)}, save it, and import it again.`,
});

const decideText = (id: string, rows: number): Localized => ({
  tr: `held.xlsx dosyasında karar bekleyen ${rows} satırın Onay hücresine Evet ya da Hayır yazıp kaydedin. Gönderilip de sonucu öğrenilemeyen satırlar için: catalog release ${id}`,
  en: `In held.xlsx, write Yes or No in the Approve cell of ${rows === 1 ? "the row that waits" : `the ${rows} rows that wait`}, and save it. For rows that were sent and whose outcome is not known: catalog release ${id}`,
});

const sendPlan = (id: string, rows: number): NextStep => ({
  text: {
    tr: `Plana bakın (plan.xlsx); doğruysa ${rows} satırı gönderin.`,
    en: `Look at the plan (plan.xlsx); if it is right, send its ${rowsEn(rows)}.`,
  },
  command: `catalog apply ${id}`,
});

const goOn = (id: string, rows: number): NextStep => ({
  text: {
    tr: `Çalıştırma yarım kaldı: gönderilmeyen ${rows} satırı gönderin.`,
    en: `The run stopped before its end: send ${rows === 1 ? "the 1 row that is left" : `the ${rows} rows that are left`}.`,
  },
  command: `catalog resume ${id}`,
});

const lookAgain = (id: string, rows: number): NextStep => ({
  text: {
    tr: `${rows} satırın sonucu belirsiz: mağazaya yeniden baktırın.`,
    en: `The outcome of ${rowsEn(rows)} is not known: look at the store again.`,
  },
  command: `catalog resume ${id}`,
});

const nameText = (value: string, rows: number): Localized => ({
  tr: `“${value}” mağazadaki adlardan biriyle eşleşmedi (${rows} satır). Karşılığını bir kez yazın; “…” görürseniz yerine mağazadaki adı koyun.`,
  en: `“${value}” matches no single name of the store (${rowsEn(rows)}). Say once what it means; replace “…” with a name of the store.`,
});

const HEADING: Localized = { tr: "Şimdi ne yapmalı?", en: "What to do now" };
const NOTHING: Localized = {
  tr: "Yapılacak bir şey yok: her satır sonuçlandı.",
  en: "Nothing: every row is settled.",
};

/** The section that stands first on the page. */
export function formatNextSteps(run: RunRecord, counts: Counts, program = "catalog"): string {
  const { lang } = run;
  const named = (text: string): string => escapeHtml(nameProgram(text, program));
  const items = listNextSteps(run, counts).map(({ text, command }) => {
    const typed = command === undefined ? "" : `<pre><code>${named(command)}</code></pre>`;
    return `<li>${named(text[lang])}${typed}</li>`;
  });
  const body = items.length === 0 ? `<p>${NOTHING[lang]}</p>` : `<ol>${items.join("")}</ol>`;
  return `<section class="next" aria-labelledby="next-title">
<h2 id="next-title">${HEADING[lang]}</h2>
${body}
</section>
`;
}
