/** All words of the page, by language. */

import type { Lang } from "../lib/format.ts";
import { bulkEn } from "./bulk-en.ts";
import { type BulkTexts, bulkTr } from "./bulk-tr.ts";
import { en, fixEn } from "./en.ts";
import { periodEn } from "./period-en.ts";
import { type PeriodTexts, periodTr } from "./period-tr.ts";
import { productsEn } from "./products-en.ts";
import { type ProductsTexts, productsTr } from "./products-tr.ts";
import { runEn } from "./run-en.ts";
import { type RunTexts, runTr } from "./run-tr.ts";
import { type FixTexts, fixTr, type StartTexts, tr } from "./tr.ts";
import { workEn } from "./work-en.ts";
import { type WorkTexts, workTr } from "./work-tr.ts";

export interface Texts extends StartTexts, RunTexts {
  readonly bulk: BulkTexts;
  readonly fix: FixTexts;
  readonly period: PeriodTexts;
  readonly products: ProductsTexts;
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
    work: workTr,
  },
  en: {
    ...en,
    ...runEn,
    bulk: bulkEn,
    fix: fixEn,
    period: periodEn,
    products: productsEn,
    work: workEn,
  },
};
