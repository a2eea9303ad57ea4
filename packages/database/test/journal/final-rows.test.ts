import type { Journal, RowDecision, RowFilter, RowRecord, RowState } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createRunStages } from "../../src/archive/archive.ts";
import { createMoveRows } from "../../src/archive/move-rows.ts";
import { createJournal } from "../../src/journal/journal.ts";
import type { FileDatabase } from "../../src/sql/database.ts";
import { openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { createRandom } from "../helpers/random.ts";
import { openRaw } from "../helpers/raw.ts";
import { toDecision, toProductId, STORE } from "../helpers/runs-and-rows.ts";
import { count, readAll } from "../helpers/stored-runs.ts";

const TEXT = { tr: "Karşılaştırılamadı.", en: "Not compared." };

const toIssues = (row: number): RowDecision["issues"] => {
  const at = { sheet: "Ürünler", row, column: "Kod", cell: `A${row}`, value: `C-${row}` };
  return [{ code: "W_NOT_COMPARABLE", ...at, message: TEXT, suggestion: TEXT }];
};

const toFinal = (row: number, state: RowDecision["state"] = "unchanged"): RowDecision => ({
  row,
  state,
  action: null,
  productId: toProductId(`p-${row}`),
  payload: null,
  changes: [],
  issues: toIssues(row),
});

const toRows = (numbers: readonly number[]) =>
  numbers.map((row) => ({ row, cells: [`C-${row}`, row], code: `C-${row}`, codeKey: `c-${row}` }));

const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, at) => at + 1);

/** States that are asked for; none stands for all. */
const QUESTIONS: readonly (readonly RowState[])[] = [
  [],
  ["parsed"],
  ["invalid"],
  ["held", "unchanged"],
  ["parsed", "invalid", "ready"],
];

describe("rows that a plan decides for good", () => {
  it("keep what they take from other rows of their product", async () => {
    const { journal } = await openTestJournal();
    const joined = { role: "variant", parentRow: 2, cells: { 1: { row: 2, value: 5 } } } as const;
    const toVariant = (row: number) => ({ row, cells: [], code: null, codeKey: null, joined });
    await journal.appendRows("run-1", [toVariant(3), toVariant(4)]);

    await journal.saveDecisions("run-1", [toFinal(3, "invalid"), toDecision({ row: 4 }, "held")]);

    const rows = await journal.readRows("run-1", { limit: 9 });
    expect(rows.map((row) => [row.state, row.joined])).toEqual([
      ["invalid", joined],
      ["held", joined],
    ]);
  });

  it("are read as they were decided, with their cells and the event of the plan", async () => {
    const { journal, path } = await openTestJournal();
    await journal.appendRows("run-1", toRows([2, 3]));
    await journal.saveDecisions("run-1", [toFinal(2), toFinal(3, "invalid")]);

    const rows = await journal.readRows("run-1", { limit: 9 });

    const nothing = { action: null, payload: null, changes: [], attempts: 0, note: null };
    expect(rows).toMatchObject([
      { row: 2, state: "unchanged", cells: ["C-2", 2], code: "C-2", codeKey: "c-2", ...nothing },
      { row: 3, state: "invalid", productId: "p-3", issues: toIssues(3), updatedAtMs: 1_000 },
    ]);
    expect(JSON.stringify(rows[1]?.issues)).toBe(JSON.stringify(toIssues(3)));
    const at = { runId: "run-1", row: 3 };
    expect(await journal.readEvents(at)).toEqual([
      { ...at, seq: 0, from: "parsed", to: "invalid", cause: "plan", evidence: {}, atMs: 1_000 },
    ]);
    expect(await journal.readEvents({ runId: "run-1", row: 4 })).toEqual([]);
    const [entry, ...others] = openRaw(path).rows("SELECT * FROM final_piece");
    expect(String(entry?.["decisions_json"]).split(TEXT.tr)).toHaveLength(2);
    expect(others).toEqual([]);
    expect(openRaw(path).rows("SELECT row_no FROM run_row")).toEqual([]);
  });

  it("are not read by another store", async () => {
    const { journal, path } = await openTestJournal();
    await journal.appendRows("run-1", toRows([2]));
    await journal.saveDecisions("run-1", [toFinal(2)]);
    const other = await openTestJournal({ path, storeId: "store-2", runs: [] });

    expect(await other.journal.readRows("run-1", { limit: 9 })).toEqual([]);
    expect(await other.journal.countRows("run-1")).toEqual([]);
    expect(await other.journal.readEvents({ runId: "run-1", row: 2 })).toEqual([]);
  });

  it("are decided once", async () => {
    const { journal } = await openTestJournal();
    await journal.appendRows("run-1", toRows([2, 3]));
    await journal.saveDecisions("run-1", [toFinal(2)]);

    const again = journal.saveDecisions("run-1", [toDecision({ row: 2 }, "ready")]);
    const twice = journal.saveDecisions("run-1", [toFinal(3), toFinal(3)]);

    await expect(again).rejects.toThrow("row 2 of run-1 is not waiting for a decision");
    await expect(twice).rejects.toThrow("row 3 of run-1 is not waiting for a decision");
    expect(await journal.countRows("run-1")).toEqual([
      { state: "parsed", action: null, rows: 1 },
      { state: "unchanged", action: null, rows: 1 },
    ]);
  });

  it("stay as they are in the file, until their run is archived", async () => {
    const { journal, path } = await openTestJournal();
    await journal.appendRows("run-1", toRows([2]));
    await journal.saveDecisions("run-1", [toFinal(2)]);
    const raw = openRaw(path);

    expect(() => raw.run("UPDATE final_piece SET decisions_json = ''")).toThrow(
      "a row in a final state never moves",
    );
    expect(() => raw.run("DELETE FROM final_piece")).toThrow(
      "a row is kept until its run is archived",
    );
  });

  it("are read in the order of the sheet, among rows that may move and rows that wait", async () => {
    const random = createRandom(16);
    for (let world = 0; world < 20; world += 1) {
      const { journal } = await openTestJournal();
      await journal.appendRows("run-1", toRows(upTo(700).filter(() => random.below(4) > 0)));
      const expected = new Map<number, RowState>();
      const withIssues = new Set<number>();
      for (const { row } of await journal.readCodes("run-1", { limit: 700 })) {
        expected.set(row, "parsed");
      }
      // In no particular order, as no caller promises one.
      const numbers = [...expected.keys()].toSorted(() => random.below(3) - 1);
      const size = 1 + random.below(90);
      for (let at = 0; at < numbers.length * 0.8; at += size) {
        const decisions = numbers.slice(at, at + size).map((row) => {
          const state = random.pick(["unchanged", "invalid", "ready", "held"] as const);
          expected.set(row, state);
          const isMoving = state === "ready" || state === "held";
          const decision = isMoving ? toDecision({ row }, state) : toFinal(row, state);
          // Whole pieces of some sizes have none.
          const issues = row % 210 < 30 ? toIssues(row) : [];
          if (issues.length > 0) withIssues.add(row);
          return Object.assign(decision, { issues });
        });
        await journal.saveDecisions("run-1", decisions);
      }
      for (let question = 0; question < 20; question += 1) {
        const states = random.pick(QUESTIONS);
        const filter: RowFilter = {
          ...(states.length === 0 ? undefined : { states }),
          mayHaveIssues: random.below(2) === 0,
          after: random.below(700),
          limit: 1 + random.below(200),
        };
        const isWanted = ([row, state]: readonly [number, RowState]): boolean =>
          row > (filter.after ?? 0) &&
          (filter.states?.includes(state) ?? true) &&
          (filter.mayHaveIssues === false || withIssues.has(row));
        const found = await journal.readRows("run-1", filter);
        expect(found.map(({ row, state }: RowRecord) => [row, state])).toEqual(
          [...expected].filter(isWanted).slice(0, filter.limit),
        );
        const codes = await journal.readCodes("run-1", filter);
        expect(codes.map(({ code }) => code)).toEqual(found.map(({ code }) => code));
      }
    }
  }, 60_000);

  it("go into the archive with their event, and leave their table", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.journal.appendRows("run-1", toRows(upTo(1_100)));
    for (let at = 0; at < 1_100; at += 90) {
      await store.journal.saveDecisions(
        "run-1",
        upTo(1_100)
          .slice(at, at + 90)
          .map((row) => toFinal(row, row % 7 === 0 ? "invalid" : "unchanged")),
      );
    }
    await store.finish("run-1");
    await store.goOn();
    const toText = async (): Promise<unknown> => JSON.stringify(await readAll(store, "run-1"));
    const before = await toText();

    await store.pass(1);

    expect(count(store, "final_piece", "run-1")).toBe(0);
    expect(await toText()).toBe(before);
    await store.pass(90);
    expect(await store.journal.readRows("run-1", { limit: 9 })).toEqual([]);
    expect(await store.journal.countRows("run-1")).toEqual([
      { state: "invalid", action: null, rows: 157 },
      { state: "unchanged", action: null, rows: 943 },
    ]);
  }, 60_000);
});

const toUnchanged = (row: number): RowDecision => ({
  ...toDecision({ row }, "ready"),
  state: "unchanged",
  action: null,
  payload: null,
  changes: [],
});

/** Plans rows 1 to `count`, a hundred to a piece. */
async function plan(
  { journal }: Pick<Pruning, "journal">,
  size: number,
  toState: (row: number) => RowDecision,
): Promise<void> {
  const rows = upTo(size).map((row) => ({
    row,
    cells: [row],
    code: `C${row}`,
    codeKey: `c${row}`,
  }));
  await journal.appendRows("run-1", rows);
  for (let at = 0; at < size; at += 100) {
    await journal.saveDecisions(
      "run-1",
      upTo(size)
        .slice(at, at + 100)
        .map(toState),
    );
  }
}

/** A connection of its own, which tells of each piece that it has looked up. */
async function openWatched(store: Pruning, onPiece: () => void): Promise<Journal> {
  const { database } = await openTestJournal({ path: store.path, runs: [] });
  const watched: FileDatabase = {
    ...database,
    prepareGet(make) {
      const get = database.prepareGet(make);
      return function* watchedGet(args) {
        const found = yield* get(args);
        if (typeof found === "object" && found !== null && "states_json" in found) onPiece();
        return found;
      };
    },
  };
  return createJournal({ database: watched, clock: store.clock, store: STORE });
}

/** Archives the first rows of the run in one commit. */
function archive({ database }: Pick<Pruning, "database">): void {
  const context = { database, store: 1 };
  const stages = createRunStages(context);
  const verified = { accepted: 0, visible: 0, mismatch: 0, "not-visible": 0 };
  const states = [{ state: "unchanged", action: null, rows: 300 }] as const;
  const moveRows = createMoveRows(context);
  database.transactNow(function* move() {
    yield* stages.begin("run-1", 0, { states, verified });
    const moved = yield* moveRows({ runId: "run-1", archivedTo: 0, isKept: true });
    yield* stages.advance("run-1", moved?.lastRow ?? 0);
  });
}

describe("reading rows that a plan decided for good", () => {
  it("does not go through their pieces again for each list of other rows", async () => {
    const store = await openPruning();
    await store.create("run-1");
    // Invalid rows may be in a piece, so that all pieces are looked at; here they have none.
    await plan(store, 2_000, (row) =>
      row % 2 === 0 ? toUnchanged(row) : toDecision({ row }, "held"),
    );
    let pieces = 0;
    const journal = await openWatched(store, () => (pieces += 1));
    const filter = { states: ["held", "invalid"], limit: 50 } as const;

    const found: number[] = [];
    for (let after: number | undefined = 0; after !== undefined; after = found.at(-1)) {
      const rows = await journal.readCodes("run-1", { ...filter, after });
      if (rows.length === 0) break;
      found.push(...rows.map(({ row }) => row));
    }

    expect(found).toEqual(upTo(2_000).filter((row) => row % 2 === 1));
    // Twenty pieces, each with two lists of fifty rows beside it, and one more to know the end.
    expect(pieces).toBeLessThanOrEqual(20 * 2 + 20);
  });

  it("reads all of them where another process archives their run in between", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await plan(store, 300, toUnchanged);
    await store.finish("run-1");
    await store.goOn();
    let isArchived = false;
    const journal = await openWatched(store, () => {
      if (isArchived) return;
      isArchived = true;
      archive(store);
    });

    const rows = await journal.readRows("run-1", { limit: 400 });

    expect(rows.map(({ row }) => row)).toEqual(upTo(300));
  });
});
