/** Reads back actions that were carried out, and records what their subjects show. */

import { isDeepStrictEqual } from "node:util";

import {
  type ActionEffect,
  ACTIONS,
  isAction,
  type SubjectKind,
  type SubjectView,
} from "../ports/action.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { FieldChange, RowRecord } from "../row/row-record.ts";
import type { DoneRow, Verification, VerificationLog } from "../verify/verification.ts";
import { judgeView } from "./judge-view.ts";

interface VerifyActionsOptions {
  readonly log: Pick<VerificationLog, "saveVerifications">;
  readonly marketplace: Pick<Marketplace, "actions">;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the subjects of the rows back. What is seen of each field teaches what an action makes of it. */
export async function verifyActions(
  { log, marketplace: { actions }, signal }: VerifyActionsOptions,
  rows: readonly DoneRow[],
): Promise<void> {
  if (actions === undefined) return;
  const effects: ActionEffect[] = [];
  for (const [kind, of] of Map.groupBy(rows, subjectKind)) {
    const ids = of.map(({ record }) => record.code ?? "");
    const { views } = await actions.readSubjects(kind, ids, signal);
    for (const [runId, done] of Map.groupBy(of, (one) => one.runId)) {
      const verifications: Verification[] = [];
      for (const { row, record, readings } of done) {
        const view = views.get(record.code ?? "");
        effects.push(...listEffects(record, view));
        verifications.push({ ...judgeShown(record, view), row, looks: readings + 1 });
      }
      await log.saveVerifications(runId, verifications);
    }
  }
  if (effects.length > 0) await actions.learn?.(effects);
}

function subjectKind({ record: { action } }: DoneRow): SubjectKind {
  if (!isAction(action)) throw new Error(`a row with ${action} has no subject`);
  return ACTIONS[action].subject;
}

/** An action that was carried out may show a value that nobody could foretell, such as a status. */
function judgeShown(
  record: RowRecord,
  view: SubjectView | undefined,
): Pick<Verification, "status" | "fields"> {
  const found = judgeView(record, view);
  if (found === "gone") return { status: "not-visible", fields: [] };
  const differing = record.changes.flatMap((change) => {
    const { field, old, new: sent } = change;
    const seen = view?.fields[field];
    if (seen === undefined || isDeepStrictEqual(seen, sent)) return [];
    return [{ change, shown: { field, sent, seen, isOld: seen === old } }];
  });
  // What has moved on is kept for reports, and is no difference; nor is a code that stays hidden.
  const isMismatch = differing.some(({ change, shown: { isOld } }) =>
    isUnforeseen(change) ? isOld && found !== "moved" : !(isOld && found === "reached"),
  );
  return {
    status: isMismatch ? "mismatch" : "visible",
    fields: differing.map(({ shown }) => shown),
  };
}

/** Whether the value after the action is not stated by the row. */
const isUnforeseen = ({ new: sent, isAssumed = false }: FieldChange): boolean =>
  sent === undefined || isAssumed;

/** What the action has made of values that no row states. Codes and companies differ in each. */
function listEffects(
  { action, changes }: RowRecord,
  view: SubjectView | undefined,
): readonly ActionEffect[] {
  if (!isAction(action) || view === undefined || ACTIONS[action].isFilled === true) return [];
  return changes.filter(isUnforeseen).flatMap(({ field, old }) => {
    const shown = view.fields[field];
    const isKnown = shown !== undefined && old !== undefined && shown !== old;
    return isKnown ? [{ action, field, old, shown }] : [];
  });
}
