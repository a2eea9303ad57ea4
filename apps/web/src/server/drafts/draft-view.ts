/** Drafts of the importer as the page shows them, in one language. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type {
  DraftColumnsView,
  DraftCountsView,
  DraftDetails,
  DraftEditResult,
  DraftField,
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
  FieldView,
  NameChoiceView,
  NameView,
  RowView,
} from "../../api/drafts.ts";
import type { Problem } from "../../api/ids.ts";
import { plainAdvice, plainText } from "../plain-advice.ts";

/** What is known of a draft besides its stored state. */
export interface DraftActivity {
  readonly progress: DraftStepProgress | null;
  /** Sentence about calls that must wait; `null` where none does. */
  readonly wait: string | null;
  /** Why the last step failed. */
  readonly problem: DraftProblem | null;
  readonly sentBefore: DraftView["sentBefore"];
  /** The latest run. */
  readonly planned: DraftView["run"];
}

export type DraftStepProgress = Omit<DraftProgress, "text">;

export function toDraftView(details: DraftDetails, activity: DraftActivity, lang: Lang): DraftView {
  const { id, name, bytes, state, version, canUndo, canRedo, openNames, isStoreKnown } = details;
  const { reading, columns, counts } = details;
  return {
    id,
    name,
    bytes,
    state,
    version,
    createdAt: toIso(details.createdAtMs),
    updatedAt: toIso(details.updatedAtMs),
    reading: { ...reading, problem: toProblem(reading.problem, lang) },
    columns: columns === null ? null : toColumnsView(columns, lang),
    counts: counts === null ? null : toCounts(counts, lang),
    progress:
      activity.progress === null ? null : toProgress(activity.progress, lang, activity.wait),
    canUndo,
    canRedo,
    openNames,
    isStoreKnown,
    run: activity.planned,
    sentBefore: activity.sentBefore,
    problem: toProblem(activity.problem, lang),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const toProblem = (problem: DraftProblem | null, lang: Lang): Problem | null =>
  problem === null ? null : { code: problem.code, message: plainText(problem.message[lang]) };

const toField = (field: DraftField, lang: Lang): FieldView =>
  Object.assign({}, field, { label: field.label[lang] });

function toColumnsView(view: DraftColumnsView, lang: Lang): ColumnsView {
  return {
    columns: view.columns.map((column) =>
      Object.assign({}, column, {
        label: column.label[lang],
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
    fields: view.fields.map((field) => toField(field, lang)),
    missing: view.missing.map((field) => toField(field, lang)),
    constants: view.constants,
    defaults: view.defaults,
    forNew: view.forNew,
    platform: view.platform === null ? null : plainText(view.platform[lang]),
    problems: view.problems.map(({ code, message }) => ({
      code,
      message: plainText(message[lang]),
    })),
    notes: view.notes.map((note) => plainText(note[lang])),
  };
}

const toCounts = (counts: DraftCountsView, lang: Lang): DraftCounts => ({
  ...counts,
  kinds: counts.kinds.map((kind) => Object.assign({}, kind, { label: kind.label[lang] })),
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
  ...name,
  label: name.label[lang],
  choices: name.choices.map((choice) => toChoice(choice, lang)),
  category: name.category && {
    ...name.category,
    choices: name.category.choices.map((choice) => toChoice(choice, lang)),
  },
});

const toChoice = ({ hint, ...choice }: DraftNameChoice, lang: Lang): NameChoiceView =>
  hint === undefined ? choice : { ...choice, hint: hint[lang] };

export const toSummary = (
  draft: DraftSummaryView,
  { sent, planned }: Pick<DraftSummary, "sent" | "planned">,
): DraftSummary => ({
  id: draft.id,
  name: draft.name,
  state: draft.state,
  updatedAt: toIso(draft.updatedAtMs),
  rows: draft.rows,
  errors: draft.errors,
  run: draft.run,
  isUnusable: draft.isUnusable,
  sent,
  planned,
});
