/** What a person does next after a run, in order, each with its command. */

import { join } from "node:path";

import { type Localized, nameProgram, quoteWord } from "@catalog/i18n";
import type { Counts, RunRecord } from "@catalog/runs";

import { ruleCommand } from "../issue-commands.ts";
import { escapeHtml } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** One thing to do, and the command for it. */
export interface NextStep {
  readonly text: Localized;
  /** Left out where nothing is typed. */
  readonly command?: string;
}

/** Names of which the command is shown; the others are like them. */
const MAX_NAMES = 3;

/** Numbers of rows. */
export interface OpenRows {
  readonly counts: Counts;
  /** Held rows that the file cannot approve, most of them as the store may have the product. */
  readonly unsure: number;
}

/** Lists the steps; a run that left nothing open has none. */
export function listNextSteps(run: RunRecord, { counts, unsure }: OpenRows): readonly NextStep[] {
  const names = run.facts?.reading?.openNames ?? [];
  return [
    ...sendingSteps(run, counts),
    ...names.slice(0, MAX_NAMES).map((name) => ({
      text: nameText(name.value, name.rows),
      command: ruleCommand(name, run.lang),
    })),
    ...correctingSteps(run, counts),
    ...decidingSteps(run, { counts, unsure }),
  ];
}

function sendingSteps({ id, state }: RunRecord, { pending, unknown }: Counts): readonly NextStep[] {
  if (pending > 0) return [state === "planned" ? sendPlan(id, pending) : goOn(id, pending)];
  return unknown > 0 ? [lookAgain(id, unknown)] : [];
}

/** The rows of a feed are corrected where it comes from, so that nothing is imported again. */
function correctingSteps(
  { kind, reportDir }: RunRecord,
  { invalid, duplicate, rejected }: Counts,
): readonly NextStep[] {
  const failed = kind === "import" ? invalid + duplicate + rejected : 0;
  if (failed === 0) return [];
  const path = quoteWord(join(reportDir, "failed.xlsx"));
  return [{ text: correctText(failed), command: `catalog import ${path}` }];
}

function decidingSteps(
  { id, reportDir }: RunRecord,
  { counts: { held }, unsure }: OpenRows,
): readonly NextStep[] {
  const path = quoteWord(join(reportDir, "held.xlsx"));
  const approve = {
    text: approveText(held - unsure),
    command: `catalog release ${id} --approved ${path}`,
  };
  const decide = { text: unsureText(unsure), command: `catalog release ${id}` };
  return [...(held > unsure ? [approve] : []), ...(unsure > 0 ? [decide] : [])];
}

const rowsEn = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

const correctText = (rows: number): Localized => ({
  tr: `failed.xlsx dosyasını açın, ${rows} satırın kırmızı hücrelerini düzeltip kaydedin, sonra yeniden yükleyin.`,
  en: `Open failed.xlsx, correct the red cells of ${rowsEn(rows)}, save it, and import it again.`,
});

const approveText = (rows: number): Localized => ({
  tr: `held.xlsx dosyasında karar bekleyen ${rows} satırın Onay hücresine Evet ya da Hayır yazıp kaydedin.`,
  en: `In held.xlsx, write Yes or No in the Approve cell of ${rows === 1 ? "the row that waits" : `the ${rows} rows that wait`}, and save it.`,
});

/** Also for products that the store is known to have, and for rows that it refused each time. */
const unsureText = (rows: number): Localized => ({
  tr: `${rows} satır, ürünü mağazada olabileceği ya da pazaryeri her denemede geri çevirdiği için bekliyor; hangisi olduğu “${PAGE_TEXTS.tr.reasons}” bölümünde. Panelden bakın, sonra karar verin.`,
  en: `${rowsEn(rows)} ${rows === 1 ? "waits" : "wait"} because the store may have the product, or the marketplace refused it each time; “${PAGE_TEXTS.en.reasons}” says which. Look at the panel, then decide.`,
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
export function formatNextSteps(run: RunRecord, open: OpenRows, program = "catalog"): string {
  const { lang } = run;
  const named = (text: string): string => escapeHtml(nameProgram(text, program));
  const items = listNextSteps(run, open).map(({ text, command }) => {
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
