/**
 * Points in the program at which a process can be made to die, as with `kill -9`. They are inserted
 * into a build of the program for tests; the program itself does not contain them.
 */

import { SOURCE_PATHS, type SourcePath } from "../../helpers/source-paths.ts";
import type { Replacement } from "../mutants/mutant.ts";

export interface CrashPoint {
  readonly name: string;
  readonly replacement: Replacement;
}

/** Dies at the nth call for this point; the hook defines it. */
const CALL = "globalThis.crashAt";

type SourceLine = readonly [file: SourcePath, fragment: string, side: "before" | "after"];

function point(name: string, [file, from, side]: SourceLine): CrashPoint {
  const call = `;${CALL}(${JSON.stringify(name)});`;
  const to = side === "before" ? `${call}\n${from}` : `${from}\n${call}`;
  return { name, replacement: { file, from, to } };
}

/** A build has all points, so that two in one line are one replacement. */
const STARTED: Replacement = {
  file: SOURCE_PATHS.wirePhase,
  from: 'else phase = "started";',
  to: `else {
    phase = "started";
    if (beforeSend) {
      setImmediate(() => ${CALL}("first-byte"));
      setTimeout(() => ${CALL}("on-the-way"), 3);
    }
  }`,
};

/** Points that an import reaches, in order. */
export const CRASH_POINTS: readonly CrashPoint[] = [
  point("rows-half-written", [
    SOURCE_PATHS.rowPieces,
    "yield* insert([toColumns(runId, all",
    "before",
  ]),
  point("plan-half-written", [SOURCE_PATHS.rowTable, "insert(moving.map(toColumns));", "after"]),
  point("plan-written", [SOURCE_PATHS.plannedCounts, "const { unchanged, invalid,", "before"]),
  point("before-begin", [
    SOURCE_PATHS.sendAttempt,
    "const start = journal.beginSending(key, evidence())",
    "before",
  ]),
  point("begin-half-written", [SOURCE_PATHS.beginAttempt, "return record.attempts + 1;", "before"]),
  point("begun-unmarked", [SOURCE_PATHS.fileBeginnings, "markers.write(key);", "before"]),
  point("begun-marked", [SOURCE_PATHS.fileBeginnings, "markers.write(key);", "after"]),
  point("begun", [
    SOURCE_PATHS.fileBeginnings,
    "database.transactNow(() => assertSending({ ...key, attempt }));",
    "after",
  ]),
  { name: "first-byte", replacement: STARTED },
  { name: "on-the-way", replacement: STARTED },
  {
    name: "answer-begins",
    replacement: {
      file: SOURCE_PATHS.wirePhase,
      from: 'phase = "headers";',
      to: `phase = "headers"; if (beforeSend) ${CALL}("answer-begins");`,
    },
  },
  {
    name: "answered",
    replacement: {
      file: SOURCE_PATHS.wirePhase,
      from: 'if (!settled) phase = "body";',
      to: `if (beforeSend) ${CALL}("answered"); if (!settled) phase = "body";`,
    },
  },
  point("judged", [
    SOURCE_PATHS.sendRow,
    "const recorded = toCarriedOut(record, toOutcome(options, record, outcome));",
    "before",
  ]),
  {
    name: "outcome-half-written",
    replacement: {
      file: SOURCE_PATHS.ledger,
      from: "if (yield* moves.tryEnd(key, outcome, clock.now())) return;",
      to: `if (yield* moves.tryEnd(key, outcome, clock.now())) return ${CALL}("outcome-half-written");`,
    },
  },
  point("outcome-written", [
    SOURCE_PATHS.sendReadyRows,
    "await waitForLimit(pass, sent);",
    "before",
  ]),
  point("looking", [
    SOURCE_PATHS.findLostAdds,
    "const found: StoreProduct[] = [];\n  for await (const { product } of findProducts(",
    "before",
  ]),
  point("run-closing", [
    SOURCE_PATHS.applyPlan,
    "await recordCalls(connection, run.id, before);",
    "before",
  ]),
  point("report-half-written", [
    SOURCE_PATHS.resultWorkbook,
    `yield { ...row, cells: filled, ...cellMarks(sources, run, named) };
    }
  }
  const name = sheetNameOf(run);
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });`,
    "after",
  ]),
];

/** Points that only the sending of updates reaches, as adds are not claimed. */
export const CLAIM_POINTS: readonly CrashPoint[] = [
  point("before-claim", [SOURCE_PATHS.claimRows, "const claims = await journal.claim(", "before"]),
  point("claimed", [SOURCE_PATHS.claimRows, "if (!gate.isOpen) await release();", "before"]),
];

/** Points that only a start after a crash reaches. */
export const RECOVERY_POINTS: readonly CrashPoint[] = [
  point("recovering", [SOURCE_PATHS.ledger, "return found.length;", "before"]),
  point("recovered", [
    SOURCE_PATHS.ledger,
    'if ((yield* readOpRows(context, "sending", "all")).length === 0) markers.clear();',
    "before",
  ]),
];

/** Points that `runs prune` reaches while it archives runs, in order. */
export const ARCHIVE_POINTS: readonly CrashPoint[] = [
  point("run-entered", [SOURCE_PATHS.runPruner, "if (!judged.isPruned) return step;", "before"]),
  point("piece-written", [
    SOURCE_PATHS.moveRows,
    "const { kept, superseded } = yield* settle(range);",
    "before",
  ]),
  point("rows-half-removed", [SOURCE_PATHS.moveRows, "yield* write.remove(superseded);", "before"]),
  point("rows-moved", [SOURCE_PATHS.moveRows, "write.removeHistory(range);", "after"]),
];

/** Points that it reaches while it deletes rows, in order. */
export const PRUNE_POINTS: readonly CrashPoint[] = [
  point("pruning-begun", [
    SOURCE_PATHS.runPruner,
    "stages.beginPruning(old.run_id, nowMs);",
    "after",
  ]),
  point("piece-deleted", [
    SOURCE_PATHS.advanceRun,
    'build.deleteFrom("archive_piece").where("id", "=", piece.id));',
    "after",
  ]),
  point("run-pruned", [
    SOURCE_PATHS.advanceRun,
    'build.deleteFrom("run_call_minute").where("run_id", "=", runId));',
    "after",
  ]),
];

/** Waits that are too long for a test, each cut to a fiftieth. */
export const SHORT_WAITS: readonly Replacement[] = [
  {
    file: SOURCE_PATHS.reconcile,
    from: "[0, 1_000, 4_000, 10_000]",
    to: "[0, 20, 80, 200]",
  },
  { file: SOURCE_PATHS.reconcile, from: "[0, 2_000]", to: "[0, 40]" },
  { file: SOURCE_PATHS.sendRounds, from: "[0, 5_000, 15_000, 30_000]", to: "[0, 100, 300, 600]" },
  { file: SOURCE_PATHS.reconcileActions, from: "[0, 1_000, 4_000]", to: "[0, 20, 80]" },
  { file: SOURCE_PATHS.visibilitySampler, from: "[1_000, 4_000]", to: "[20, 80]" },
];

export const ALL_POINTS: readonly CrashPoint[] = [
  ...CRASH_POINTS,
  ...CLAIM_POINTS,
  ...RECOVERY_POINTS,
  ...ARCHIVE_POINTS,
  ...PRUNE_POINTS,
];
