/** Drafts of the importer as the page shows them, in one language. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type {
  DraftColumnsView,
  DraftCountsView,
  DraftDetails,
  DraftEditResult,
  DraftName,
  DraftNameChoice,
  DraftProblem,
  DraftRowView,
  DraftSummaryView,
} from "@catalog/importer";

import type {
  ColumnsView,
  DraftCounts,
  DraftProgress,
  DraftSummary,
  DraftView,
  EditResult,
  NameChoiceView,
  NameView,
  RowView,
} from "../../api/drafts.ts";
import type { Problem } from "../../api/ids.ts";
import { plainAdvice, plainText } from "../plain-advice.ts";

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
  activity: DraftActivity,
  lang: Lang,
): DraftView {
  const { reading, columns, counts } = details;
  const { progress, wait, problem, sentBefore, planned } = activity;
  return {
    ...details,
    createdAt: toIso(createdAtMs),
    updatedAt: toIso(updatedAtMs),
    reading: { ...reading, problem: toProblem(reading.problem, lang) },
    columns: columns && toColumnsView(columns, lang),
    counts: counts && toCounts(counts, lang),
    progress: progress && toProgress(progress, lang, wait),
    run: planned,
    sentBefore,
    problem: toProblem(problem, lang),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const toProblem = (problem: DraftProblem | null, lang: Lang): Problem | null =>
  problem === null ? null : { code: problem.code, message: plainText(problem.message[lang]) };

const withLabel = <Thing extends { readonly label: Localized }>(thing: Thing, lang: Lang) => ({
  ...thing,
  label: thing.label[lang],
});

function toColumnsView(view: DraftColumnsView, lang: Lang): ColumnsView {
  return {
    ...view,
    columns: view.columns.map((column) =>
      Object.assign(withLabel(column, lang), {
        reason: column.reason[lang],
        problem: toProblem(column.problem, lang),
        unclear: column.unclear && {
          ...column.unclear,
          readings: {
            comma: column.unclear.readings.comma[lang],
            point: column.unclear.readings.point[lang],
          },
        },
      }),
    ),
    fields: view.fields.map((field) => withLabel(field, lang)),
    missing: view.missing.map((field) => withLabel(field, lang)),
    platform: view.platform && plainText(view.platform[lang]),
    problems: view.problems.flatMap((problem) => toProblem(problem, lang) ?? []),
    notes: view.notes.map((note) => plainText(note[lang])),
  };
}

const toCounts = (counts: DraftCountsView, lang: Lang): DraftCounts => ({
  ...counts,
  kinds: counts.kinds.map((kind) => withLabel(kind, lang)),
});

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

export const toRowView = (row: DraftRowView, lang: Lang): RowView => ({
  ...row,
  numbers: row.numbers.map(({ column, text, typed }) => ({
    column,
    text: text[lang],
    typed: typed[lang],
  })),
  issues: row.issues.map((issue) =>
    Object.assign({}, issue, {
      message: plainText(issue.message[lang]),
      suggestion: issue.suggestion === null ? null : plainAdvice(issue.suggestion[lang]),
      fixes: issue.fixes.map((fix) => (typeof fix === "string" ? fix : fix[lang])),
    }),
  ),
});

export const toEditResult = (result: DraftEditResult, lang: Lang): EditResult => ({
  ...result,
  counts: toCounts(result.counts, lang),
  rows: result.rows.map((row) => toRowView(row, lang)),
});

export const toNameView = (name: DraftName, lang: Lang): NameView => ({
  ...withLabel(name, lang),
  choices: name.choices.map((choice) => toChoice(choice, lang)),
  category: name.category && {
    ...name.category,
    choices: name.category.choices.map((choice) => toChoice(choice, lang)),
  },
});

const toChoice = ({ hint, ...choice }: DraftNameChoice, lang: Lang): NameChoiceView =>
  hint === undefined ? choice : { ...choice, hint: hint[lang] };

export const toSummary = (
  { createdAtMs: _createdAtMs, createdBy: _by, updatedAtMs, ...draft }: DraftSummaryView,
  run: Pick<DraftSummary, "sent" | "planned">,
): DraftSummary => ({ ...draft, updatedAt: toIso(updatedAtMs), ...run });
