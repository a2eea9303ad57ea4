import { copyFileSync, existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it } from "vitest";

import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

const KEY = { runId: "run-1", row: 2 };

/** Leaves the row as a process does that is killed after the commit and before the marker. */
function dieBeforeMark({ path }: TestJournal): void {
  using raw = new DatabaseSync(path);
  raw.exec(`
    UPDATE run_row SET state = 'sending' WHERE run_id = 'run-1' AND row_no = 2;
    INSERT INTO op (run_id, row_no, store, kind, state, code_key, payload_json, begun_at_ms)
    SELECT 'run-1', 2, id, 'add', 'sending', 'C-2', '{}', 0 FROM store WHERE store_id = 'store-1';
  `);
}

const stateOf = async ({ journal }: TestJournal): Promise<string | undefined> =>
  (await journal.readRows("run-1", { limit: 1 }))[0]?.state;

describe.runIf(existsSync("/proc/sys/kernel/random/boot_id"))("recover", () => {
  it("makes a row ready again whose process died before the marker of its request", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    dieBeforeMark(store);

    const recovered = await store.journal.recover();

    expect([recovered, await stateOf(store)]).toEqual([1, "ready"]);
    expect(store.journal.beginSending(KEY)).toBe("begun");
  });

  it("makes a row ambiguous whose request was marked, even by a marker that was cut off", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    store.journal.beginSending(KEY);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("makes a row ambiguous when the markers are gone", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    dieBeforeMark(store);
    rmSync(`${store.path}.1.marks`);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("does not apply the markers of recovered rows to later requests", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    store.journal.beginSending(KEY);
    await store.journal.recover();
    await store.journal.recordOutcome(
      { ...KEY, from: "ambiguous" },
      { to: "ready", cause: "not-found-resend" },
    );
    store.journal.beginSending(KEY);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("proves nothing in an older copy, whose runs must be checked before they are sent", async () => {
    const { path, journal, database } = await openTestJournal();
    await journal.recover();
    await planToSend(journal, KEY);
    database.close();
    copyFileSync(path, `${path}.backup`);
    const killed = await openTestJournal({ path, runs: [] });
    killed.journal.beginSending(KEY);
    // The process dies, and its count of openings is not written.
    killed.database.close();
    copyFileSync(`${path}.backup`, path);
    rmSync(`${path}.generation`);

    const { journal: old } = await openTestJournal({ path, runs: [] });
    await old.recover();

    expect(await old.mustRecheck("run-1")).toBe(true);
  });

  it("requires no check where every marker has its row", async () => {
    const { path, journal } = await openTestJournal();
    await journal.recover();
    await planToSend(journal, KEY);
    journal.beginSending(KEY);

    const { journal: next } = await openTestJournal({ path, runs: [] });
    await next.recover();

    expect(await next.mustRecheck("run-1")).toBe(false);
  });
});
