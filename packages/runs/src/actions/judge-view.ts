/** Compares a row that does something to a subject with the subject as the store shows it. */

import { isDeepStrictEqual } from "node:util";

import type { Localized } from "@catalog/i18n";

import { type ActionName, ACTIONS, isAction, type SubjectView } from "../ports/action.ts";
import type { FieldChange, RowRecord } from "../row/row-record.ts";

/**
 * - `before`: the subject is as it was before the action.
 * - `reached`: it shows what the action was to make of it.
 * - `moved`: it has changed in another way, or in one that nobody can tell.
 * - `hidden`: the store does not show what the action changes.
 * - `gone`: no listing of the store has the subject.
 */
export type ViewFinding = "before" | "reached" | "moved" | "hidden" | "gone";

/** A row with an action, as it was planned. */
export type ActionRow = Pick<RowRecord, "action" | "changes">;

/** Says what a view of the row's subject shows; `undefined` where no listing has the subject. */
export function judgeView(
  { action, changes }: ActionRow,
  view: SubjectView | undefined,
): ViewFinding {
  if (!isAction(action)) throw new Error(`a row with ${action} has no subject`);
  const shown = view ?? toAbsent(action);
  if (shown === undefined) return "gone";
  const found = new Set(
    changes.map((change) => judgeField(action, change, shown.fields[change.field])),
  );
  // A store may show the company of a code, and not the code.
  if (ACTIONS[action].isFilled === true && found.has("reached")) return "reached";
  if (found.has("moved")) return "moved";
  // A part of an update that somebody else has made already leaves the rest to be done.
  if (found.has("before")) return "before";
  return found.has("reached") ? "reached" : "hidden";
}

/** A template that is to be created is not listed yet. */
const toAbsent = (action: ActionName): SubjectView | undefined =>
  action === "create-template" ? { fields: { template_name: null } } : undefined;

function judgeField(
  action: ActionName,
  { old, new: wanted }: FieldChange,
  shown: unknown,
): Exclude<ViewFinding, "gone"> {
  if (shown === undefined) return "hidden";
  if (wanted !== undefined && isSame(wanted, shown)) return "reached";
  if (old === undefined) return "hidden";
  if (isSame(old, shown)) return "before";
  const { isFilled = false } = ACTIONS[action];
  return isFilled && isEmpty(old) && wanted === undefined ? "reached" : "moved";
}

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (isEmpty(one) && isEmpty(other));

const isEmpty = (value: unknown): boolean => value === null || value === "";

/** The changes of a row, with what the store shows now as what they begin from. */
export const fromShown = (
  changes: readonly FieldChange[],
  view: SubjectView | undefined,
): readonly FieldChange[] =>
  changes.map((change) => {
    const shown = view?.fields[change.field];
    return shown === undefined ? change : { ...change, old: shown };
  });

/** The changes of a row that was carried out, with the values that only the store could know. */
export const toReached = (
  changes: readonly FieldChange[],
  values: Readonly<Record<string, unknown>>,
): readonly FieldChange[] =>
  changes.map((change) =>
    change.new === undefined ? { ...change, new: values[change.field] } : change,
  );

/** The same, with values that the plan did not know of. */
export function withResults(
  changes: readonly FieldChange[],
  results: Readonly<Record<string, unknown>>,
): readonly FieldChange[] {
  const planned = new Set(changes.map(({ field }) => field));
  const further = Object.entries(results).filter(([field]) => !planned.has(field));
  return [
    ...toReached(changes, results),
    ...further.map(([field, value]) => ({ field, new: value })),
  ];
}

/** Names of fields in the middle of a sentence; a template's fields have none but their own. */
const FIELD_WORDS: Readonly<Record<string, Localized>> = {
  answer: { tr: "Yanıt", en: "Answer" },
  status: { tr: "Paket durumu", en: "Package status" },
  shipping_code: { tr: "Kargo kodu", en: "Shipping code" },
  shipping_company: { tr: "Kargo firması", en: "Shipping company" },
};

/** Describes what has changed of a subject: each field with its value before and now. */
export function describeMoved({ changes }: ActionRow, view: SubjectView | undefined): Localized {
  const parts = changes.flatMap(({ field, old }) => {
    const now = view?.fields[field];
    if (now === undefined || isSame(old, now)) return [];
    const word = view?.words?.[field];
    const name = FIELD_WORDS[field] ?? { tr: field, en: field };
    return [
      {
        tr: `${name.tr}: ${show(old)} → ${word?.tr ?? show(now)}`,
        en: `${name.en}: ${show(old)} → ${word?.en ?? show(now)}`,
      },
    ];
  });
  return {
    tr: parts.map(({ tr }) => tr).join("; "),
    en: parts.map(({ en }) => en).join("; "),
  };
}

const show = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
};
