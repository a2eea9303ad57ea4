/**
 * Decisions on rows that never move, as they are kept: a text of an issue that is the same on many
 * rows is written once.
 */

import type { RowDecision } from "@catalog/runs";

import { DatabaseError } from "../errors.ts";
import { fromJson, toJson } from "../sql/json.ts";

/** What is kept of a decision whose row never moves. */
export type FinalDecision = Pick<RowDecision, "row" | "state" | "productId" | "issues">;

/** A row in a final state. */
export interface FinalRow extends FinalDecision {
  readonly decidedAtMs: number;
}

type Issue = RowDecision["issues"][number];
type Text = Issue["message"];

/** An issue whose texts are numbers in the list of texts. */
type PackedIssue = Omit<Issue, "message" | "suggestion"> & {
  readonly message: number;
  readonly suggestion?: number | undefined;
};

type PackedDecision = readonly [
  FinalDecision["row"],
  FinalDecision["state"],
  FinalDecision["productId"],
  readonly PackedIssue[],
];

interface PackedDecisions {
  readonly rows: readonly PackedDecision[];
  readonly texts: readonly Text[];
}

/** Writes decisions as JSON text. Packing them would take longer than it saves (`test/bench`). */
export function packDecisions(decisions: readonly FinalDecision[]): string {
  const texts = new Map<Text, number>();
  const numberOf = (text: Text): number => {
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    return number;
  };
  // The properties of an issue keep their order, in which they are printed as JSON.
  const packIssue = (issue: Issue): PackedIssue => ({
    ...issue,
    message: numberOf(issue.message),
    suggestion: issue.suggestion && numberOf(issue.suggestion),
  });
  const rows = decisions.map(({ row, state, productId, issues }): PackedDecision => {
    return [row, state, productId, issues.map(packIssue)];
  });
  const packed: PackedDecisions = { rows, texts: [...texts.keys()] };
  return toJson(packed);
}

/** Decisions as they are kept, of one moment. */
interface PackedPiece {
  readonly decisions: string;
  readonly decidedAtMs: number;
}

/** Throws `DatabaseError` `E_DATABASE_DAMAGED` where a text is missing. */
export function unpackDecisions(
  { decisions, decidedAtMs }: PackedPiece,
  path: string,
): readonly FinalRow[] {
  const { rows, texts } = fromJson<PackedDecisions>(decisions);
  const textOf = (number: number): Text => {
    const text = texts[number];
    if (text === undefined) throw new DatabaseError("E_DATABASE_DAMAGED", path);
    return text;
  };
  const unpackIssue = (issue: PackedIssue): Issue => {
    const { suggestion, ...others } = issue;
    const message = textOf(issue.message);
    if (suggestion === undefined) return { ...others, message };
    return { ...issue, message, suggestion: textOf(suggestion) };
  };
  return rows.map(([row, state, productId, issues]) => ({
    row,
    state,
    productId,
    issues: issues.map(unpackIssue),
    decidedAtMs,
  }));
}
