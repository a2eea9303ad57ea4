/** All words of the page, by language. */

import type { RunActions } from "../../src/api/index.ts";
import type { Lang } from "../lib/format.ts";
import { actionsEn } from "./actions-en.ts";
import { actionsTr } from "./actions-tr.ts";
import { bulkEn } from "./bulk-en.ts";
import { type BulkTexts, bulkTr } from "./bulk-tr.ts";
import { en, fixEn } from "./en.ts";
import { periodEn } from "./period-en.ts";
import { type PeriodTexts, periodTr } from "./period-tr.ts";
import { productsEn } from "./products-en.ts";
import { type ProductsTexts, productsTr } from "./products-tr.ts";
import { questionsEn } from "./questions-en.ts";
import { type QuestionsTexts, questionsTr } from "./questions-tr.ts";
import { runEn } from "./run-en.ts";
import { type RunTexts, runTr } from "./run-tr.ts";
import { sharedEn } from "./shared-en.ts";
import { type SharedTexts, sharedTr } from "./shared-tr.ts";
import { teamEn } from "./team-en.ts";
import { type TeamTexts, teamTr } from "./team-tr.ts";
import { type FixTexts, fixTr, type StartTexts, tr } from "./tr.ts";
import { workEn } from "./work-en.ts";
import { type WorkTexts, workTr } from "./work-tr.ts";

export interface Texts extends StartTexts, RunTexts {
  readonly bulk: BulkTexts;
  readonly fix: FixTexts;
  readonly period: PeriodTexts;
  readonly products: ProductsTexts;
  readonly questions: QuestionsTexts;
  readonly shared: SharedTexts;
  readonly team: TeamTexts;
  readonly work: WorkTexts;
}

export const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    ...tr,
    ...runTr,
    bulk: bulkTr,
    fix: fixTr,
    period: periodTr,
    products: productsTr,
    questions: questionsTr,
    shared: sharedTr,
    team: teamTr,
    work: workTr,
  },
  en: {
    ...en,
    ...runEn,
    bulk: bulkEn,
    fix: fixEn,
    period: periodEn,
    products: productsEn,
    questions: questionsEn,
    shared: sharedEn,
    team: teamEn,
    work: workEn,
  },
};

const ACTION_TEXTS = { tr: actionsTr, en: actionsEn } as const;

/** The words for a run: those of products, or of what its rows do instead. */
export const textsOfRun = (lang: Lang, actions: RunActions | null): Texts => {
  const texts = TEXTS[lang];
  if (actions === null) return texts;
  const { preview, send, counts, report, list } = ACTION_TEXTS[lang][actions];
  const { history } = texts;
  return {
    ...texts,
    preview: { ...texts.preview, ...preview },
    send: { ...texts.send, ...send },
    counts: { ...texts.counts, ...counts },
    report: { ...texts.report, ...report },
    history: { ...history, kinds: { ...history.kinds, import: list } },
  };
};
