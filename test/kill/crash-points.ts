/**
 * Places in the program at which a process can be made to die, as if by `kill -9`. They are put into
 * the modules of a child while it loads them; the program itself knows of none.
 */

import { type Replacement } from "../mutants/replace-source.ts";

export interface CrashPoint {
  readonly name: string;
  readonly replacement: Replacement;
}

/** Dies when it has been called at this point so many times; the hook defines it. */
const CALL = "globalThis.crashAt";

type Place = readonly [file: string, fragment: string, side: "before" | "after"];

function point(name: string, [file, from, side]: Place): CrashPoint {
  const call = `;${CALL}(${JSON.stringify(name)});`;
  const to = side === "before" ? `${call}\n${from}` : `${from}\n${call}`;
  return { name, replacement: { file, from, to } };
}

const LEDGER = "packages/store/src/journal/ledger.ts";
const BEGINNING = "packages/store/src/journal/beginning.ts";
const ROWS = "packages/store/src/journal/row-table.ts";
const WIRE = "packages/client/src/wire-phase.ts";
const SEND = "packages/runs/src/send-row.ts";
const ERRAND = "packages/runs/src/errand.ts";

/** In the order in which an import comes past them. */
export const CRASH_POINTS: readonly CrashPoint[] = [
  point("rows-half-written", [ROWS, "insertCells(rows.map(", "before"]),
  point("plan-half-written", [
    ROWS,
    "if (moved !== decisions.length) throw new NotWaitingError();",
    "after",
  ]),
  point("plan-written", ["packages/runs/src/plan-run.ts", "const { unchanged, invalid,", "before"]),
  point("before-begin", [ERRAND, "begun = await road.begin(", "before"]),
  point("begin-half-written", [BEGINNING, "return record.attempts + 1;", "before"]),
  point("begun-waiting", [ERRAND, "isBegun = begun !== undefined;", "after"]),
  point("begun-unmarked", [LEDGER, "marks.write(key);", "before"]),
  point("begun-marked", [LEDGER, "marks.write(key);", "after"]),
  point("begun", [
    LEDGER,
    "database.transaction(() => assertSending({ ...key, attempt }));",
    "after",
  ]),
  {
    name: "first-byte",
    replacement: {
      file: WIRE,
      from: 'else phase = "started";',
      to: `else {
        phase = "started";
        if (beforeSend) setImmediate(() => ${CALL}("first-byte"));
      }`,
    },
  },
  {
    name: "on-the-way",
    replacement: {
      file: WIRE,
      from: 'else phase = "started";',
      to: `else {
        phase = "started";
        if (beforeSend) setTimeout(() => ${CALL}("on-the-way"), 3);
      }`,
    },
  },
  {
    name: "answer-begins",
    replacement: {
      file: WIRE,
      from: 'phase = "headers";',
      to: `phase = "headers"; if (beforeSend) ${CALL}("answer-begins");`,
    },
  },
  {
    name: "answered",
    replacement: {
      file: WIRE,
      from: 'if (!settled) phase = "body";',
      to: `if (beforeSend) ${CALL}("answered"); if (!settled) phase = "body";`,
    },
  },
  point("judged", [
    SEND,
    'await journal.settle({ ...key, from: "sending" }, toSettlement',
    "before",
  ]),
  point("outcome-half-written", [LEDGER, "moves.settleOp(key, settlement, clock.now());", "after"]),
  point("outcome-written", [SEND, "return toSentRow(record, outcome);", "before"]),
  point("looking", [
    "packages/runs/src/unknown/look-up.ts",
    "const found: StoreProduct[] = [];\n  for (const status of SWEEP) {\n    for await (const product of marketplace.listProducts({ ...query",
    "before",
  ]),
  point("run-closing", [
    "packages/toolkit/src/apply-planned.ts",
    "await addCalls(toolkit, runId, before);\n    return",
    "before",
  ]),
  point("report-half-written", [
    "packages/toolkit/src/result-files.ts",
    "await writeResults(toolkit, run, result);",
    "after",
  ]),
];

/** What only a start after a crash comes past. */
export const RECOVERY_POINTS: readonly CrashPoint[] = [
  point("recovering", [LEDGER, "return found.length;", "before"]),
  point("recovered", [
    LEDGER,
    'if (readOpRows(room, "sending", "all").length === 0) marks.clear();',
    "before",
  ]),
];

/** Waits that a test cannot afford, each a fiftieth of what it is. */
export const SHORT_WAITS: readonly Replacement[] = [
  {
    file: "packages/runs/src/reconcile.ts",
    from: "[0, 1_000, 4_000, 10_000]",
    to: "[0, 20, 80, 200]",
  },
  { file: "packages/runs/src/reconcile.ts", from: "[0, 2_000]", to: "[0, 40]" },
  { file: "packages/runs/src/unknown/sampler.ts", from: "[1_000, 4_000]", to: "[20, 80]" },
];

export function crashPointOf(name: string): CrashPoint {
  const found = [...CRASH_POINTS, ...RECOVERY_POINTS].find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`there is no crash point "${name}"`);
  return found;
}
