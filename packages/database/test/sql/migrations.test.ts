import { type RowState, STATE_TABLE } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { MIGRATIONS } from "../../src/sql/migrations.ts";
import { openFile } from "../../src/sqlite/file.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { LATER } from "../helpers/later-version.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw, type Raw } from "../helpers/raw.ts";
import { appendRowIn } from "../helpers/runs-and-rows.ts";

/** A row enters the table with its decision, so that none there is `parsed`. */
const ALL_MOVES = STATE_TABLE.all
  .filter((from) => from !== "parsed")
  .flatMap((from) => STATE_TABLE.all.map((to) => [from, to] as const));

const isLegal = (from: RowState, to: RowState): boolean =>
  STATE_TABLE.moves.some(([first, second]) => first === from && second === to);

/** Returns SQLite's error for a statement, or `ok`. */
function outcomeOf(work: () => void): string {
  try {
    work();
    return "ok";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const insertOp = (
  raw: Raw,
  op: Readonly<Record<"row" | "kind" | "state", string | number>>,
): void =>
  raw.run(
    `INSERT INTO op (run_id, row_no, store, kind, state, code_key, product_id, payload_json, begun_at_ms)
     VALUES ('run-1', ?, 1, ?, ?, 'C-1', 'p-1', '{}', 0)`,
    op.row,
    op.kind,
    op.state,
  );

describe("the tables", () => {
  it("allow the legal moves of a row and no others", async () => {
    const { journal, path } = await openTestJournal();
    const raw = openRaw(path);
    const outcomes: string[] = [];
    for (const [index, [from, to]] of ALL_MOVES.entries()) {
      const key = await appendRowIn(journal, { runId: "run-1", row: index + 1 }, from);

      const outcome = outcomeOf(() => {
        raw.run("UPDATE run_row SET state = ? WHERE run_id = 'run-1' AND row_no = ?", to, key.row);
      });

      outcomes.push(`${from} -> ${to}: ${outcome}`);
    }

    expect(outcomes).toEqual(
      ALL_MOVES.map(
        ([from, to]) => `${from} -> ${to}: ${isLegal(from, to) ? "ok" : "illegal move of a row"}`,
      ),
    );
  });

  it("allow a row to start only in a state that follows parsed", async () => {
    const { path } = await openTestJournal();
    const raw = openRaw(path);
    const insert = (row: number, state: string): string =>
      outcomeOf(() => {
        raw.run(
          `INSERT INTO run_row (run_id, row_no, state, updated_at_ms)
           VALUES ('run-1', ?, ?, 0)`,
          row,
          state,
        );
      });

    expect(STATE_TABLE.all.map((state, index) => [state, insert(index + 1, state)])).toEqual(
      STATE_TABLE.all.map((state) => [
        state,
        isLegal("parsed", state) ? "ok" : "a row starts with a decision",
      ]),
    );
  });

  it("refuse a second add of a code in every state that takes the code, and in no other", async () => {
    const { journal, path } = await openTestJournal();
    const raw = openRaw(path);
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 2 }, "ready");
    insertOp(raw, { row: 1, kind: "add", state: "done" });

    const outcomes = STATE_TABLE.all.map((state) => {
      raw.run("BEGIN");
      const outcome = outcomeOf(() => insertOp(raw, { row: 2, kind: "add", state }));
      raw.run("ROLLBACK");
      return [state, outcome];
    });

    expect(outcomes).toEqual(
      STATE_TABLE.all.map((state) => [
        state,
        STATE_TABLE.takingCode.includes(state)
          ? "UNIQUE constraint failed: op.store, op.code_key"
          : "ok",
      ]),
    );
  });

  it("refuse a second update of a product while the first is under way", async () => {
    const { journal, path } = await openTestJournal();
    const raw = openRaw(path);
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "ready");
    await appendRowIn(journal, { runId: "run-1", row: 2 }, "ready");
    insertOp(raw, { row: 1, kind: "update", state: "ambiguous" });
    const insertSecond = (): string =>
      outcomeOf(() => insertOp(raw, { row: 2, kind: "update", state: "sending" }));

    expect(insertSecond()).toBe("UNIQUE constraint failed: op.store, op.product_id");

    raw.run("UPDATE op SET state = 'done' WHERE row_no = 1");
    expect(insertSecond()).toBe("ok");
  });

  it("refuse every change of an event", async () => {
    const { journal, path } = await openTestJournal();
    const raw = openRaw(path);
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "done");
    const before = raw.rows("SELECT * FROM event");

    const outcomes = [
      outcomeOf(() => raw.run("UPDATE event SET cause = 'lookup'")),
      outcomeOf(() => raw.run("DELETE FROM event")),
    ];

    expect(outcomes).toEqual([
      "events are only appended",
      "events are kept until their run is archived",
    ]);
    expect(raw.rows("SELECT * FROM event")).toEqual(before);
    expect(before).toHaveLength(3);
  });
});

describe("a migration of a later version", () => {
  it("keeps what the file holds, and is not undone by an earlier program", async () => {
    const { database, path } = await openTestJournal();
    database.close();

    openFile(path, { migrations: [...MIGRATIONS, LATER] }).close();

    const raw = openRaw(path);
    expect(raw.rows("PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length + 1 }]);
    expect(raw.rows("SELECT id, later FROM run")).toEqual([{ id: "run-1", later: 7 }]);
    await expect(openDatabase(path)).rejects.toMatchObject({ code: "E_DATABASE_NEWER" });
    expect(() => openFile(path, { migrations: [...MIGRATIONS, LATER] }).close()).not.toThrow();
  });

  it("is made as a whole or not at all", async () => {
    const { database, path } = await openTestJournal();
    database.close();
    const faulty = { ...LATER, sqlite: [...LATER.sqlite, "INSERT INTO nowhere VALUES (1)"] };

    expect(() => openFile(path, { migrations: [...MIGRATIONS, faulty] })).toThrow(/nowhere/u);

    const raw = openRaw(path);
    expect(raw.rows("PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length }]);
    expect(raw.rows("SELECT name FROM pragma_table_info('run') WHERE name = 'later'")).toEqual([]);
  });
});
