/**
 * Holds adds of one file that have the title of an earlier one and nearly its code. Codes that look
 * alike under different titles are a family of products, and are not held.
 */

import type { RowRepository } from "../../ports/row-repository.ts";
import type { RowDecision } from "../../row/row-decision.ts";
import { createCompactTextMap } from "../compact-text-map.ts";
import type { CandidateRow } from "../decide-row.ts";
import type { NameRow } from "../decide-rows.ts";
import type { LookAlikeOptions } from "./look-alike-codes.ts";
import { titleKey, toAlikeRowIssue } from "./look-alike-issues.ts";

/** The run, its rows, and how codes are compared. */
export interface AlikeRowsOptions {
  readonly runId: string;
  readonly journal: Pick<RowRepository, "readRows">;
  /** @default no row is held */
  readonly lookAlikes?: LookAlikeOptions | undefined;
  /** Names a row for people. @default by its number */
  readonly nameRow?: NameRow | undefined;
}

/** Holds adds among the next decisions of a plan, which are given in the order of the sheet. */
export type HoldAlikeRows = (
  candidates: readonly Pick<CandidateRow, "code" | "codeLocation">[],
  decisions: readonly RowDecision[],
) => Promise<readonly RowDecision[]>;

/** Creates the check for one plan. */
export function createAlikeRows(options: AlikeRowsOptions): HoldAlikeRows {
  const { lookAlikes, nameRow = String } = options;
  if (lookAlikes === undefined || lookAlikes.isAllowed === true) return async (_, same) => same;
  const { suspectKey, areApart = () => false } = lookAlikes;
  const firstRowOf = createCompactTextMap();
  const hold = async (
    decision: RowDecision,
    row: Pick<CandidateRow, "code" | "codeLocation">,
  ): Promise<RowDecision> => {
    const title = decision.payload?.title;
    if (decision.action !== "add" || row.code === null || title === undefined) return decision;
    const key = `${suspectKey(row.code)}\n${titleKey(title)}`;
    const first = firstRowOf.get(key);
    firstRowOf.set(key, decision.row);
    if (first === undefined || decision.state !== "ready") return decision;
    const code = await readCode(options, first);
    if (code === undefined || areApart(code, row.code)) return decision;
    const issue = toAlikeRowIssue({ ...row, title }, { code, row: nameRow(first) });
    return { ...decision, state: "held", issues: [...decision.issues, issue] };
  };
  return async (candidates, decisions) => {
    const held: RowDecision[] = [];
    for (const [index, decision] of decisions.entries()) {
      const row = candidates[index];
      held.push(row === undefined ? decision : await hold(decision, row));
    }
    return held;
  };
}

async function readCode(
  { runId, journal }: AlikeRowsOptions,
  row: number,
): Promise<string | undefined> {
  const [found] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  return found?.row === row ? (found.code ?? undefined) : undefined;
}
