import type { Journal, RowDecision } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createRunStages } from "../../src/archive/archive.ts";
import { createMoveRows } from "../../src/archive/move-rows.ts";
import { createJournal, type FileDatabase } from "../../src/index.ts";
import { openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { toDecision } from "../helpers/runs-and-rows.ts";

const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, at) => at + 1);

const toFinal = (row: number): RowDecision => ({
  ...toDecision({ row }, "ready"),
  state: "unchanged",
  action: null,
  payload: null,
  changes: [],
});

/** Plans rows 1 to `count`, a hundred to a piece. */
async function plan(
  { journal }: Pick<Pruning, "journal">,
  count: number,
  toState: (row: number) => RowDecision,
): Promise<void> {
  const rows = upTo(count).map((row) => ({
    row,
    cells: [row],
    code: `C${row}`,
    codeKey: `c${row}`,
  }));
  await journal.appendRows("run-1", rows);
  for (let at = 0; at < count; at += 100) {
    await journal.saveDecisions(
      "run-1",
      upTo(count)
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
  const address = { baseUrl: "https://marketplace.test", storeId: "store-1" };
  return createJournal({ database: watched, clock: store.clock, store: address });
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
    await plan(store, 2_000, (row) => (row % 2 === 0 ? toFinal(row) : toDecision({ row }, "held")));
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
    await plan(store, 300, toFinal);
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
