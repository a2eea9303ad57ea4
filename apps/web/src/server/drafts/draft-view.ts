/** Drafts of the importer as the page shows them, in one language. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { DraftDetails, DraftSummaryView } from "@catalog/importer/draft-views";

import type { DraftProgress, DraftSummary, DraftView, Shown } from "../../api/drafts.ts";
import { plainAdvice, plainText } from "../plain-advice.ts";

/** A failure in both languages. */
export type DraftProblem = NonNullable<DraftDetails["reading"]["problem"]>;

/** What is known of a draft besides its stored state. */
interface DraftActivity {
  readonly progress: DraftStepProgress | null;
  /** Sentence about calls that must wait; `null` where none does. */
  readonly wait: string | null;
  /** Why the last step failed. */
  readonly problem: DraftProblem | null;
  readonly sentBefore: DraftView["sentBefore"];
  readonly planned: DraftView["run"];
}

export type DraftStepProgress = Omit<DraftProgress, "text">;

export function toDraftView(
  { sha256: _sha256, createdAtMs, updatedAtMs, ...details }: DraftDetails,
  { progress, wait, problem, sentBefore, planned }: DraftActivity,
  lang: Lang,
): DraftView {
  return {
    ...toShown(details, lang),
    createdAt: toIso(createdAtMs),
    updatedAt: toIso(updatedAtMs),
    progress: progress && toProgress(progress, lang, wait),
    run: planned,
    sentBefore,
    problem: toShown(problem, lang),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Texts that may advise a command, of which the page shows the rest. */
const SENTENCES: ReadonlySet<string> = new Set(["message", "platform", "notes"]);

/** Puts every text of both languages, at any depth, into the language of the page. */
export const toShown = <Value>(value: Value, lang: Lang): Shown<Value> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what `Shown` says
  show(value, lang, "") as Shown<Value>;

function show(value: unknown, lang: Lang, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => show(each, lang, key));
  if (isLocalized(value)) {
    const text = value[lang];
    if (key === "suggestion") return plainAdvice(text);
    return SENTENCES.has(key) ? plainText(text) : text;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, show(each, lang, name)]),
  );
}

const isLocalized = (value: object): value is Localized =>
  "tr" in value && "en" in value && Object.keys(value).length === 2;

const STEPS: Readonly<Record<DraftProgress["step"], (count: string) => Localized>> = {
  read: (count) => ({ tr: `${count} satır okundu`, en: `${count} rows read` }),
  check: (count) => ({ tr: `${count} satır denetlendi`, en: `${count} rows checked` }),
  plan: (count) => ({ tr: `Plan hazırlanıyor: ${count}`, en: `Planning: ${count}` }),
};

const PLANNING: Localized = { tr: "Plan hazırlanıyor", en: "Planning" };

function toProgress(
  { step, done, total }: DraftStepProgress,
  lang: Lang,
  wait: string | null,
): DraftProgress {
  const counts = [done, ...(total === null ? [] : [total])];
  const count = counts.map((number) => formatNumber(number, lang)).join("/");
  const text = step === "plan" && done === 0 ? PLANNING : STEPS[step](count);
  return { step, text: wait ?? text[lang], done, total };
}

export const toSummary = (
  { createdAtMs: _createdAtMs, createdBy: _by, updatedAtMs, ...draft }: DraftSummaryView,
  run: Pick<DraftSummary, "sent" | "planned">,
): DraftSummary => ({ ...draft, updatedAt: toIso(updatedAtMs), ...run });
