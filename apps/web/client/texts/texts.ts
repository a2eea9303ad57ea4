/** All words of the page, by language. */

import type { Lang } from "../lib/language.ts";
import { en } from "./en.ts";
import { fixEn } from "./fix-en.ts";
import { fixTr, type FixTexts } from "./fix-tr.ts";
import { runEn } from "./run-en.ts";
import { runTr, type RunTexts } from "./run-tr.ts";
import { tr, type StartTexts } from "./tr.ts";
import { workEn } from "./work-en.ts";
import { workTr, type WorkTexts } from "./work-tr.ts";

export interface Texts extends StartTexts, RunTexts {
  readonly fix: FixTexts;
  readonly work: WorkTexts;
}

export const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: { ...tr, ...runTr, fix: fixTr, work: workTr },
  en: { ...en, ...runEn, fix: fixEn, work: workEn },
};
