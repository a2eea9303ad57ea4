/**
 * Rows that a plan decided for good, in pieces beside `run_row`: nothing is sent for them, so they never
 * move, and the event of the plan is their only one. A plan of products that have not changed consists
 * of them. A text of an issue that is the same on many rows is written once.
 */

import { type RowDecision, type RowEvent, type RowState, STATE_TABLE } from "@catalog/runs";

import { DatabaseError } from "../errors.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, toJson, toLiteral } from "../sql/queries.ts";
import type { FinalPieceTable } from "../sql/schema.ts";

/** What is kept of a decision whose row never moves. */
type FinalDecision = Pick<RowDecision, "row" | "state" | "productId" | "issues">;

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
function packDecisions(decisions: readonly FinalDecision[]): string {
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
function unpackDecisions(
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

/** Which rows are read, in the order of the sheet. */
interface FinalFilter {
  readonly after: number;
  /** Rows of pieces that begin after this one are not read. @default all rows */
  readonly upTo?: number | undefined;
  /** @default all states */
  readonly states?: readonly RowState[] | undefined;
  /** Only rows with issues. @default all rows */
  readonly mayHaveIssues?: boolean | undefined;
  readonly limit: number;
}

export interface FinalRows {
  /**
   * Stores the decisions that are final within the caller's transaction, and returns the others. All
   * of them are returned where the piece would cross another one.
   */
  append(
    runId: string,
    decisions: readonly RowDecision[],
    nowMs: number,
  ): Steps<readonly RowDecision[]>;
  read(runId: string, filter: FinalFilter): Steps<readonly FinalRow[]>;
  find(runId: string, row: number): Steps<FinalRow | undefined>;
  /** Numbers of the rows from the first to the last one given. */
  listNumbers(runId: string, first: number, last: number): Steps<readonly number[]>;
  /** Counts the rows of a run by state. */
  count(runId: string): Steps<ReadonlyMap<RowState, number>>;
  /** Removes the pieces that end at or before a row. */
  remove(runId: string, last: number): Steps<void>;
}

/** The event of the plan of a row in a final state. It has no number of its own. */
export const toPlanEvent = (runId: string, { row, state, decidedAtMs }: FinalRow): RowEvent => ({
  runId,
  row,
  seq: 0,
  from: "parsed",
  to: state,
  cause: "plan",
  evidence: {},
  atMs: decidedAtMs,
});

export function createFinalRows(database: Database): FinalRows {
  const statements = prepareStatements(database);
  const { findFrom, findIssuesFrom, insert, remove, readCounts } = statements;
  const open = createOpenPiece(database, statements);
  return {
    *append(runId, decisions, nowMs) {
      const final = decisions.filter(isFinal).toSorted((a, b) => a.row - b.row);
      const [first, last] = [final[0], final.at(-1)];
      if (first === undefined || last === undefined) return decisions;
      const next = yield* findFrom({ runId, row: first.row });
      if (next !== undefined && next.first_row <= last.row) return decisions;
      const piece = {
        run_id: runId,
        first_row: first.row,
        last_row: last.row,
        decided_at_ms: nowMs,
        states_json: toJson(countStates(final)),
        rows_json: toJson(final.map(({ row }) => row)),
        decisions_json: packDecisions(final),
      };
      yield* insert([piece]);
      return decisions.filter((decision) => !isFinal(decision));
    },
    read: (runId, filter) =>
      collect(
        { findFrom: filter.mayHaveIssues === true ? findIssuesFrom : findFrom, open },
        runId,
        filter,
      ),
    *find(runId, row) {
      const piece = yield* findFrom({ runId, row });
      return piece && (yield* open(piece)).find((found) => found.row === row);
    },
    *listNumbers(runId, first, last) {
      const numbers: number[] = [];
      let piece = yield* findFrom({ runId, row: first });
      while (piece !== undefined && piece.first_row <= last) {
        for (const row of fromJson<number[]>(piece.rows_json)) {
          if (row >= first && row <= last) numbers.push(row);
        }
        piece = yield* findFrom({ runId, row: piece.last_row + 1 });
      }
      return numbers;
    },
    *count(runId) {
      return sumCounts(yield* readCounts({ runId }));
    },
    *remove(runId, last) {
      yield* remove({ runId, last });
    },
  };
}

/** States in which a plan leaves a row for good. */
export const PLANNED_STATES: readonly RowState[] = STATE_TABLE.next.parsed.filter((state) =>
  STATE_TABLE.final.includes(state),
);

const PLANNED: ReadonlySet<RowState> = new Set(PLANNED_STATES);

/** A row that could be sent has a table to itself, whatever its state. */
const isFinal = ({ state, action, payload, changes }: RowDecision): boolean =>
  PLANNED.has(state) && action === null && payload === null && changes.length === 0;

type StateCounts = Partial<Record<RowState, number>>;

function countStates(decisions: readonly RowDecision[]): StateCounts {
  const counts: StateCounts = {};
  for (const { state } of decisions) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function sumCounts(
  pieces: readonly Pick<FinalPieceTable, "states_json">[],
): ReadonlyMap<RowState, number> {
  const sums = new Map<RowState, number>();
  for (const { states_json } of pieces) {
    const counts = fromJson<StateCounts>(states_json);
    for (const state of PLANNED_STATES) {
      const rows = counts[state] ?? 0;
      if (rows > 0) sums.set(state, (sums.get(state) ?? 0) + rows);
    }
  }
  return sums;
}

type FinalPiece = Omit<FinalPieceTable, "id">;

/** A piece without its decisions. */
type PieceKey = Omit<FinalPiece, "decisions_json">;

interface PieceAt {
  readonly runId: string;
  readonly row: number;
}

type OpenPiece = (piece: PieceKey) => Steps<readonly FinalRow[]>;

/** Keeps the last piece unpacked, as rows are read in their order and some at a time. */
function createOpenPiece(
  { path }: Database,
  { readDecisions }: Pick<Statements, "readDecisions">,
): OpenPiece {
  let last: { readonly key: string; readonly rows: readonly FinalRow[] } | undefined;
  return function* openPiece({ run_id, first_row, last_row, decided_at_ms }) {
    const key = toJson([run_id, first_row, last_row, decided_at_ms]);
    if (last?.key !== key) {
      const found = yield* readDecisions({ runId: run_id, row: last_row });
      // Another process has archived the run meanwhile, which its readers look for.
      if (found === undefined) return [];
      last = {
        key,
        rows: unpackDecisions(
          { decisions: found.decisions_json, decidedAtMs: decided_at_ms },
          path,
        ),
      };
    }
    return last.rows;
  };
}

interface PieceAccess extends Pick<Statements, "findFrom"> {
  readonly open: OpenPiece;
}

function* collect(
  { findFrom, open }: PieceAccess,
  runId: string,
  { after, upTo = Infinity, states, mayHaveIssues = false, limit }: FinalFilter,
): Steps<readonly FinalRow[]> {
  const rows: FinalRow[] = [];
  const isWanted = (state: RowState): boolean => states?.includes(state) ?? true;
  const wanted = PLANNED_STATES.filter(isWanted);
  let piece = yield* findFrom({ runId, row: after + 1 });
  while (piece !== undefined && piece.first_row <= upTo) {
    const { states_json, last_row } = piece;
    if (wanted.some((state) => states_json.includes(state))) {
      for (const row of yield* open(piece)) {
        if (rows.length === limit) return rows;
        if (mayHaveIssues && row.issues.length === 0) continue;
        if (row.row > after && isWanted(row.state)) rows.push(row);
      }
    }
    piece = yield* findFrom({ runId, row: last_row + 1 });
  }
  return rows;
}

/** Each issue has a code; nothing else in a piece is called so. */
const ISSUE = '%"code":%';

type Statements = ReturnType<typeof prepareStatements>;

interface OfRun {
  readonly runId: string;
}

function prepareStatements(database: Database) {
  const { build } = database;
  const prepareFind = (hasIssues: boolean) =>
    database.prepareGet<PieceAt, PieceKey>((arg) =>
      build
        .selectFrom("final_piece")
        .select(["run_id", "first_row", "last_row", "decided_at_ms", "states_json", "rows_json"])
        .where("run_id", "=", arg("runId"))
        .where("last_row", ">=", arg("row"))
        .$if(hasIssues, (query) => query.where("decisions_json", "like", toLiteral(ISSUE)))
        .orderBy("last_row")
        .limit(1),
    );
  return {
    /** The first piece that ends at or after the row. */
    findFrom: prepareFind(false),
    /** The first of those pieces that has an issue. */
    findIssuesFrom: prepareFind(true),
    /** The decisions of the piece that ends at the row. */
    readDecisions: database.prepareGet<PieceAt, Pick<FinalPiece, "decisions_json">>((arg) =>
      build
        .selectFrom("final_piece")
        .select("decisions_json")
        .where("run_id", "=", arg("runId"))
        .where("last_row", "=", arg("row")),
    ),
    insert: database.prepareInsert("final_piece", [
      "run_id",
      "first_row",
      "last_row",
      "decided_at_ms",
      "states_json",
      "rows_json",
      "decisions_json",
    ]),
    readCounts: database.prepareAll<OfRun, Pick<FinalPieceTable, "states_json">>((arg) =>
      build.selectFrom("final_piece").select("states_json").where("run_id", "=", arg("runId")),
    ),
    remove: database.prepare<OfRun & { readonly last: number }>((arg) =>
      build
        .deleteFrom("final_piece")
        .where("run_id", "=", arg("runId"))
        .where("last_row", "<=", arg("last")),
    ),
  };
}
