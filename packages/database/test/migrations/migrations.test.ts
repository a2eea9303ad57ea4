import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { CODE_TAKING_STATES, LEGAL_MOVES, ROW_STATES, type RowState } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { MIGRATIONS } from "../../src/migrations/migrations.ts";
import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw, type Raw } from "../helpers/raw.ts";
import { appendRowIn } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** A row enters the table with its decision, so that none there is `parsed`. */
const ALL_MOVES = ROW_STATES.filter((from) => from !== "parsed").flatMap((from) =>
  ROW_STATES.map((to) => [from, to] as const),
);

const isLegal = (from: RowState, to: RowState): boolean =>
  LEGAL_MOVES.some(([first, second]) => first === from && second === to);

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

    expect(ROW_STATES.map((state, index) => [state, insert(index + 1, state)])).toEqual(
      ROW_STATES.map((state) => [
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

    const outcomes = ROW_STATES.map((state) => {
      raw.run("BEGIN");
      const outcome = outcomeOf(() => insertOp(raw, { row: 2, kind: "add", state }));
      raw.run("ROLLBACK");
      return [state, outcome];
    });

    expect(outcomes).toEqual(
      ROW_STATES.map((state) => [
        state,
        CODE_TAKING_STATES.includes(state)
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

describe("a file of an older version", () => {
  it("keeps a price unit that a person or a sent price gave, and deletes one that a sheet suggested", async () => {
    const path = join(temporaryFolder(), "old.db");
    const old = openRaw(path);
    const before = MIGRATIONS.findIndex((steps) => steps.join("").includes("priceUnitBy"));
    for (const statement of MIGRATIONS.slice(0, before).flat()) old.run(statement);
    old.run(`PRAGMA user_version=${before}`);
    const told = ["set", "sent", "sheet", "remembered"];
    for (const [index, by] of told.entries()) {
      const url = `https://${by}.example`;
      old.run("INSERT INTO store (id, base_url, store_id) VALUES (?, ?, 's')", index + 1, url);
      old.run(
        `INSERT INTO run (id, store, command, state, file_json, mode, lang, report_dir, warnings_json,
           facts_json, created_at_ms, updated_at_ms)
         VALUES (?, ?, 'plan', 'planned', '{}', 'upsert', 'tr', '', '[]', ?, 0, 0)`,
        `run-${by}`,
        index + 1,
        JSON.stringify({ priceUnit: "major", priceUnitBy: by }),
      );
      const key = `${url} price-unit`;
      old.run("INSERT INTO name_list VALUES (?, 0, ?)", key, JSON.stringify(["major"]));
      const note = JSON.stringify({ reconciledAtMs: 5, priceUnit: "major", sweep: 1 });
      old.run("INSERT INTO feed_note VALUES (?, 'note store', ?)", index + 1, note);
    }

    (await openDatabase(path))[Symbol.dispose]();

    const kept = openRaw(path).rows("SELECT key FROM name_list ORDER BY key");
    expect(kept).toEqual([
      { key: "https://sent.example price-unit" },
      { key: "https://set.example price-unit" },
    ]);
    const notes = openRaw(path).rows(
      "SELECT json_extract(note_json, '$.reconciledAtMs') AS at FROM feed_note ORDER BY store",
    );
    expect(notes).toEqual([{ at: 5 }, { at: 5 }, { at: null }, { at: null }]);
  });

  it("keeps the cells of its rows when they move to a table of their own", async () => {
    const path = join(temporaryFolder(), "old.db");
    const old = openOlder(path, "TABLE row_cells");
    old.run(
      `INSERT INTO run_row (run_id, row_no, state, code, cells_json, traits_json, updated_at_ms)
       VALUES ('run-1', 2, 'parsed', 'A', '["A",5]', '{"1":"formula"}', 0),
         ('run-1', 3, 'parsed', 'B', '["B",null]', NULL, 0)`,
    );
    old.close();

    using database = await openDatabase(path);

    const journal = createJournal({ database, clock: createFakeClock(), store: STORE });
    expect(await journal.readRows("run-1", { limit: 9 })).toMatchObject([
      { row: 2, code: "A", cells: ["A", 5], traits: { 1: "formula" }, formats: undefined },
      { row: 3, code: "B", cells: ["B", null], traits: undefined, formats: undefined },
    ]);
  });

  it("shows the rows of a run whose cells were kept row by row, with all that is known of them", async () => {
    const path = join(temporaryFolder(), "old.db");
    const old = openOlder(path, "TABLE row_piece");
    for (const [row, code, format] of [
      [2, "A", "0.00"],
      [3, "A", "0.00"],
      [4, "B", null],
      [5, "B", "[$USD] 0.00"],
    ] as const) {
      old.run(
        `INSERT INTO run_row (run_id, row_no, state, code, code_key, updated_at_ms)
         VALUES ('run-1', ?, 'parsed', ?, ?, 7)`,
        row,
        code,
        code,
      );
      const formats = format === null ? null : JSON.stringify({ 1: format });
      old.run(
        "INSERT INTO row_cells VALUES ('run-1', ?, ?, NULL, ?)",
        row,
        JSON.stringify([code, 5]),
        formats,
      );
      if (row === 5) continue;
      old.run("UPDATE run_row SET state = 'held' WHERE row_no = ?", row);
      old.run(
        `INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
         VALUES ('run-1', ?, 'parsed', 'held', 'plan', '{}', 7)`,
        row,
      );
    }
    old.run("INSERT INTO before_value VALUES ('run-1', 2, '{\"stock\":4}')");
    old.close();

    using database = await openDatabase(path);

    const clock = createFakeClock();
    const journal = createJournal({ database, clock, store: STORE });
    const log = createVerificationLog({ database, clock, store: STORE });
    expect(await journal.readRows("run-1", { after: 3, limit: 9 })).toMatchObject([
      { row: 4, state: "held", cells: ["B", 5], formats: undefined, updatedAtMs: 7 },
      { row: 5, state: "parsed", cells: ["B", 5], formats: { 1: "[$USD] 0.00" } },
    ]);
    expect(await journal.countRows("run-1")).toEqual([
      { state: "held", action: null, rows: 3 },
      { state: "parsed", action: null, rows: 1 },
    ]);
    expect(await journal.readDuplicates("run-1")).toEqual([
      { rows: [2, 3], identical: true },
      { rows: [4, 5], identical: false },
    ]);
    expect(await journal.readEvents({ runId: "run-1", row: 3 })).toHaveLength(1);
    expect([...(await log.readBefore("run-1", [2]))]).toEqual([[2, { stock: 4 }]]);
  });
});

const STORE = { baseUrl: "https://example.com", storeId: "s" };

/** Opens a new file of the version before the migration with this text, with one run. */
function openOlder(path: string, text: string): Raw {
  const old = openRaw(path);
  const before = MIGRATIONS.findIndex((steps) => steps.join("").includes(text));
  for (const statement of MIGRATIONS.slice(0, before).flat()) old.run(statement);
  old.run(`PRAGMA user_version=${before}`);
  old.run("INSERT INTO store (id, base_url, store_id) VALUES (1, 'https://example.com', 's')");
  old.run(
    `INSERT INTO run (id, store, command, state, file_json, mode, lang, report_dir, warnings_json,
       created_at_ms, updated_at_ms)
     VALUES ('run-1', 1, 'plan', 'planned', '{}', 'upsert', 'tr', '', '[]', 0, 0)`,
  );
  return old;
}
