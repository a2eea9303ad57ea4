import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createFeedState,
  createJournal,
  createRuleRepository,
  createRunRepository,
  type Database,
} from "../../src/index.ts";
import { MIGRATIONS } from "../../src/migrations/migrations.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openRaw, type Raw } from "../helpers/raw.ts";
import { newRun, planToSend, toProductId } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const SPELLINGS = ["https://shop.example", "https://Shop.example/"];

interface OldOp {
  readonly store: 1 | 2 | 3;
  readonly row: number;
  readonly state: string;
  readonly kind?: "add" | "update";
  readonly code?: string | null;
  readonly product?: string | null;
}

/** Creates a home of the version before, with one store under two spellings and another store. */
function openOldHome(): { readonly path: string; readonly raw: Raw } {
  const path = join(temporaryFolder(), "catalog.db");
  const raw = openRaw(path);
  raw.run("PRAGMA synchronous=OFF");
  const before = MIGRATIONS.findIndex((steps) => steps.join("").includes("store_join"));
  for (const statement of MIGRATIONS.slice(0, before).flat()) raw.run(statement);
  raw.run(`PRAGMA user_version=${before}`);
  const stores = [...SPELLINGS, "https://Other.example/"];
  for (const [index, address] of stores.entries()) {
    raw.run("INSERT INTO store (id, base_url, store_id) VALUES (?, ?, 's')", index + 1, address);
    raw.run(
      `INSERT INTO run (id, store, command, state, file_json, mode, lang, report_dir, warnings_json,
         created_at_ms, updated_at_ms)
       VALUES (?, ?, 'import', 'finished', '{}', 'upsert', 'tr', '', '[]', ?, ?)`,
      `run-${index + 1}`,
      index + 1,
      index,
      index,
    );
  }
  return { path, raw };
}

const WAYS: Readonly<Record<string, readonly string[]>> = {
  ready: ["ready"],
  sending: ["ready", "sending"],
  ambiguous: ["ready", "sending", "ambiguous"],
  held: ["ready", "sending", "ambiguous", "held"],
  done: ["ready", "sending", "done"],
};

function addOp(raw: Raw, op: OldOp): void {
  const { store, row, state, kind = "add", code = null, product = null } = op;
  const run = `run-${store}`;
  raw.run(
    `INSERT INTO run_row (run_id, row_no, state, action, code, code_key, product_id, updated_at_ms)
     VALUES (?, ?, 'parsed', ?, ?, ?, ?, 0)`,
    run,
    row,
    kind,
    code,
    code,
    product,
  );
  raw.run("INSERT INTO row_cells (run_id, row_no, cells_json) VALUES (?, ?, '[]')", run, row);
  for (const next of WAYS[state] ?? []) {
    raw.run("UPDATE run_row SET state = ? WHERE run_id = ? AND row_no = ?", next, run, row);
  }
  raw.run(
    `INSERT INTO op (run_id, row_no, store, kind, state, code_key, product_id, payload_json, begun_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, '{}', ?)`,
    run,
    row,
    store,
    kind,
    state,
    code,
    product,
    store * 100 + row,
  );
}

const look = (home: Raw) => [
  home.rows("PRAGMA user_version"),
  home.rows("SELECT * FROM store"),
  home.rows("SELECT * FROM op"),
];

const toStore = (baseUrl: string) => ({ baseUrl, storeId: "s" });

function openJournal(database: Database, baseUrl = "HTTPS://SHOP.example:443//") {
  return createJournal({ database, clock: createFakeClock(1), store: toStore(baseUrl) });
}

describe("a home that knows one store under two spellings", () => {
  it("reads the runs of both spellings under either one", async () => {
    const { path, raw } = openOldHome();
    raw.close();

    using database = await openDatabase(path);

    const clock = createFakeClock(1);
    for (const baseUrl of [...SPELLINGS, "https://shop.example:443//"]) {
      const runs = await createRunRepository({ database, clock, store: toStore(baseUrl) }).list(9);
      expect(runs.map(({ id }) => id)).toEqual(["run-2", "run-1"]);
    }
    const other = createRunRepository({
      database,
      clock,
      store: toStore("https://other.example/"),
    });
    expect((await other.list(9)).map(({ id }) => id)).toEqual(["run-3"]);
  });

  it("keeps of several live adds of a code the one that went furthest, and every row", async () => {
    const { path, raw } = openOldHome();
    addOp(raw, { store: 1, row: 1, state: "held", code: "A" });
    addOp(raw, { store: 2, row: 1, state: "done", code: "A", product: "p-a" });
    addOp(raw, { store: 1, row: 2, state: "ambiguous", code: "B" });
    addOp(raw, { store: 2, row: 2, state: "held", code: "B" });
    addOp(raw, { store: 1, row: 3, state: "done", code: "C", product: "p-c1" });
    addOp(raw, { store: 2, row: 3, state: "done", code: "C", product: "p-c2" });
    addOp(raw, { store: 3, row: 1, state: "done", code: "A", product: "p-other" });
    addOp(raw, { store: 1, row: 4, state: "done", code: "D", product: "p-d" });
    raw.close();

    using database = await openDatabase(path);

    const known = await openJournal(database).readKnownCodes(["A", "B", "C", "D"]);
    expect(known.map(({ codeKey, state, productId }) => [codeKey, state, productId])).toEqual([
      ["A", "done", "p-a"],
      ["B", "ambiguous", null],
      ["C", "done", "p-c1"],
      ["D", "done", "p-d"],
    ]);
    const after = openRaw(path);
    expect(
      after.rows("SELECT run_id, row_no, state, code FROM run_row ORDER BY run_id, row_no"),
    ).toHaveLength(8);
    expect(after.rows("SELECT product_id FROM op WHERE product_id = 'p-c2'")).toHaveLength(1);
    expect(
      await openJournal(database, "https://other.example").readKnownCodes(["A"]),
    ).toMatchObject([{ productId: "p-other" }]);
  });

  it("starts no add of a code that was added under either spelling", async () => {
    const { path, raw } = openOldHome();
    addOp(raw, { store: 1, row: 1, state: "done", code: "A", product: "p-a" });
    addOp(raw, { store: 2, row: 1, state: "ambiguous", code: "B" });
    raw.close();
    using database = await openDatabase(path);
    const journal = openJournal(database, "https://shop.example");
    const store = toStore("https://shop.example");
    await createRunRepository({ database, clock: createFakeClock(1), store }).create(
      newRun("run-new"),
    );

    const begun = [];
    for (const [index, code] of ["A", "B", "C"].entries()) {
      const key = await planToSend(journal, { runId: "run-new", row: index + 1, code });
      begun.push(journal.beginSending(key));
    }

    expect(begun).toEqual(["taken", "taken", "begun"]);
  });

  it("makes sending requests ambiguous, and holds the second update of a product", async () => {
    const { path, raw } = openOldHome();
    addOp(raw, { store: 1, row: 1, state: "sending", code: "A" });
    addOp(raw, { store: 1, row: 2, state: "sending", kind: "update", product: "p-1" });
    addOp(raw, { store: 2, row: 2, state: "ambiguous", kind: "update", product: "p-1" });
    addOp(raw, { store: 3, row: 1, state: "sending", code: "A" });
    raw.close();

    using database = await openDatabase(path);

    const after = openRaw(path);
    expect(
      after.rows(
        `SELECT run_id, row_no, run_row.state, op.state AS op FROM run_row JOIN op USING (run_id, row_no)
         ORDER BY run_id, row_no`,
      ),
    ).toEqual([
      { run_id: "run-1", row_no: 1, state: "ambiguous", op: "ambiguous" },
      { run_id: "run-1", row_no: 2, state: "ambiguous", op: "ambiguous" },
      { run_id: "run-2", row_no: 2, state: "held", op: "held" },
      { run_id: "run-3", row_no: 1, state: "sending", op: "sending" },
    ]);
    expect(await openJournal(database).readAmbiguous(9)).toHaveLength(2);
  });

  it("keeps what was learnt under both spellings, the later value where they differ", async () => {
    const { path, raw } = openOldHome();
    const rule = "INSERT INTO value_rule VALUES (?, ?, 'brand', 'x', ?, NULL, ?)";
    raw.run(rule, 1, "both", "new", 20);
    raw.run(rule, 2, "both", "old", 10);
    raw.run(rule, 1, "first", "one", 10);
    raw.run(
      "INSERT INTO signature VALUES (1, 'k', 1, 2, 5), (2, 'k', 3, 4, NULL), (1, 'l', 1, 0, NULL)",
    );
    raw.run(
      "INSERT INTO lag_sample (store, product_id, is_shown) VALUES (1, 'p', 1), (2, 'p', 0), (1, 'q', 0)",
    );
    raw.run(
      "INSERT INTO seen_product VALUES (1, 'p', 'A', 'approved', 1, '{}'), (2, 'p', 'A', 'passive', 2, '{}'), (1, 'q', 'B', 'veto', 3, '{}')",
    );
    raw.run("INSERT INTO filter_proof VALUES (1, 'product_code', 1, 5)");
    raw.run("INSERT INTO export_seen VALUES (1, 'k', 'a'), (2, 'k', 'a'), (1, 'k', 'b')");
    raw.run("INSERT INTO export_mark VALUES (1, 'k', '{\"n\":1}', 9), (2, 'k', '{\"n\":2}', 4)");
    raw.run(
      "INSERT INTO capability VALUES ('https://shop.example', 'update', 'stock_count', 'refused', 5), ('https://Shop.example/', 'update', 'stock_count', 'proven', 9)",
    );
    raw.close();

    using database = await openDatabase(path);

    const store = toStore("https://shop.example");
    const rules = await createRuleRepository({ database, clock: createFakeClock(1), store }).list();
    expect(rules.map(({ key, target }) => [key, target])).toEqual([
      ["both", "new"],
      ["first", "one"],
    ]);
    const after = openRaw(path);
    expect(
      after.rows(
        "SELECT store, key, applied, not_applied AS missed, last_seen_ms AS ms FROM signature",
      ),
    ).toEqual([
      { store: 2, key: "k", applied: 4, missed: 6, ms: 5 },
      { store: 2, key: "l", applied: 1, missed: 0, ms: null },
    ]);
    expect(
      after.rows("SELECT product_id, is_shown FROM lag_sample WHERE store = 2 ORDER BY 1"),
    ).toEqual([
      { product_id: "p", is_shown: 1 },
      { product_id: "q", is_shown: 0 },
    ]);
    expect(
      after.rows("SELECT product_id, status FROM seen_product WHERE store = 2 ORDER BY 1"),
    ).toEqual([
      { product_id: "p", status: "passive" },
      { product_id: "q", status: "veto" },
    ]);
    expect(after.rows("SELECT item_id FROM export_seen WHERE store = 2 ORDER BY 1")).toHaveLength(
      2,
    );
    expect(after.rows("SELECT * FROM filter_proof")).toEqual([]);
    expect(after.rows("SELECT mark_json FROM export_mark")).toEqual([{ mark_json: '{"n":1}' }]);
    expect(after.rows("SELECT base_url, state FROM capability")).toEqual([
      { base_url: "https://shop.example", state: "proven" },
    ]);
  });

  it("reads its products again for feeds, and keeps released changes", async () => {
    const { path, raw } = openOldHome();
    const note = "INSERT INTO feed_note VALUES (?, ?, ?)";
    raw.run(note, 1, "progress", '{"seq":7,"sweep":3}');
    raw.run(note, 2, "note store", '{"reconciledAtMs":5,"priceUnit":"minor","sweep":3}');
    raw.run(note, 1, "note released", '[{"runId":"run-1","row":1}]');
    raw.run(note, 2, "note released", '[{"runId":"run-2","row":2},{"runId":"run-1","row":1}]');
    raw.run(note, 1, "note feed f", '{"rows":9,"isSettled":true}');
    raw.run("INSERT INTO feed_product VALUES (1, 'p', 'A', 'approved', '{}', '{}', 3)");
    raw.close();

    using database = await openDatabase(path);

    const store = toStore("https://shop.example");
    const feeds = createFeedState({ database, clock: createFakeClock(1), store });
    expect(await feeds.readById([toProductId("p")])).toEqual([]);
    expect(await feeds.readNote("store", z.unknown())).toBeUndefined();
    expect(await feeds.readNote("released", z.unknown())).toHaveLength(2);
    expect(await feeds.readNote("feed f", z.unknown())).toEqual({ rows: 9, isSettled: false });
  });

  it("adds up the calls of both, keeps the longer pause, and forgets a price unit on which they differ", async () => {
    const { path, raw } = openOldHome();
    raw.run(
      "INSERT INTO budget (key, tat_ms, blocked_until_ms, strikes, learnt_per_hour) VALUES ('https://shop.example k', 5, 0, 0, 90), ('https://Shop.example/ k', 3, 70, 2, NULL)",
    );
    raw.run(
      "INSERT INTO call_minute VALUES ('https://shop.example k', 1, 10), ('https://Shop.example/ k', 1, 5), ('https://Shop.example/ k', 2, 1)",
    );
    const names = "INSERT INTO name_list VALUES (?, ?, ?)";
    raw.run(names, "https://shop.example price-unit", 1, '["minor"]');
    raw.run(names, "https://Shop.example/ price-unit", 2, '["major"]');
    raw.run(names, "https://shop.example categories", 1, '["old"]');
    raw.run(names, "https://Shop.example/ categories", 2, '["new"]');
    raw.close();

    using database = await openDatabase(path);

    expect(database.isRestored).toBe(false);
    const after = openRaw(path);
    expect(
      after.rows(
        "SELECT key, tat_ms, blocked_until_ms AS until, strikes, learnt_per_hour AS learnt FROM budget",
      ),
    ).toEqual([{ key: "https://shop.example k", tat_ms: 5, until: 70, strikes: 2, learnt: 90 }]);
    expect(after.rows("SELECT minute, calls FROM call_minute ORDER BY minute")).toEqual([
      { minute: 1, calls: 15 },
      { minute: 2, calls: 1 },
    ]);
    expect(after.rows("SELECT key, entries_json AS list FROM name_list")).toEqual([
      { key: "https://shop.example categories", list: '["new"]' },
    ]);
  });

  it("leaves the home unchanged when the join fails, and joins it the next time", async () => {
    const { path, raw } = openOldHome();
    addOp(raw, { store: 1, row: 1, state: "done", code: "A", product: "p-1" });
    addOp(raw, { store: 2, row: 1, state: "done", code: "A", product: "p-2" });
    raw.run(
      "CREATE TRIGGER power_cut BEFORE DELETE ON store BEGIN SELECT RAISE(ABORT, 'cut'); END",
    );
    const before = look(raw);

    await expect(openDatabase(path)).rejects.toThrow("cut");

    expect(look(raw)).toEqual(before);
    raw.run("DROP TRIGGER power_cut");
    using database = await openDatabase(path);
    expect(await openJournal(database).readKnownCodes(["A"])).toHaveLength(1);
  });
});
