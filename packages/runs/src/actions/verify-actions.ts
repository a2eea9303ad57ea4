/** Reads back actions that were carried out, and records what their subjects show. */

import { ACTIONS, isAction, type SubjectKind, type SubjectView } from "../ports/action.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { RowRecord } from "../row/row-record.ts";
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
  for (const [kind, of] of Map.groupBy(rows, subjectKind)) {
    const ids = of.map(({ record }) => record.code ?? "");
    const { views } = await actions.readSubjects(kind, ids, signal);
    for (const [runId, done] of Map.groupBy(of, (one) => one.runId)) {
      const verifications: Verification[] = [];
      for (const { row, record, readings } of done) {
        const view = views.get(record.code ?? "");
        await learn(actions, record, view);
        verifications.push({ ...judgeShown(record, view), row, looks: readings + 1 });
      }
      await log.saveVerifications(runId, verifications);
    }
  }
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
  if (found === "reached" || found === "hidden") return { status: "visible", fields: [] };
  const fields = record.changes.flatMap(({ field, old, new: sent }) => {
    const seen = view?.fields[field];
    const isUnforeseen = sent === undefined && found === "moved";
    if (seen === undefined || isUnforeseen || seen === sent) return [];
    return [{ field, sent, seen, isOld: seen === old }];
  });
  return { status: fields.length === 0 ? "visible" : "mismatch", fields };
}

async function learn(
  actions: NonNullable<Marketplace["actions"]>,
  { action, changes }: RowRecord,
  view: SubjectView | undefined,
): Promise<void> {
  if (!isAction(action) || view === undefined) return;
  for (const { field, old } of changes) {
    const shown = view.fields[field];
    if (shown === undefined || old === undefined || shown === old) continue;
    await actions.learn?.({ action, field, old, shown });
  }
}
