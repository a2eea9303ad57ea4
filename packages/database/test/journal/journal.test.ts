import { FEED_COMMAND, type Journal, type RowKey, type RowState, STATE_TABLE } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { openRaw } from "../helpers/raw.ts";
import {
  appendRowIn,
  moveRow,
  newRun,
  planToSend,
  sendDone,
  readState,
  seen,
  toDecision,
  toProductId,
  STORE,
} from "../helpers/runs-and-rows.ts";
import { startScript } from "../helpers/start-script.ts";

/** Moves of a started row that keep or free its code. */
const STEPS: Readonly<Partial<Record<RowState, readonly RowState[]>>> = {
  ready: ["held"],
  sending: ["ready", "ambiguous", "rejected", "done"],
  ambiguous: ["ready", "held", "done"],
  held: ["ready", "cancelled", "done"],
};

interface Racer {
  readonly journal: Journal;
  readonly key: RowKey;
  state: RowState;
  /** Its request takes the code. */
  isTaking: boolean;
}

/** Makes one random move of one row, and checks that the code has one holder. */
async function step(racer: Racer, rivals: readonly Racer[], random: Random): Promise<void> {
  const { journal, key, state } = racer;
  if (state === "ready" && random.below(4) > 0) {
    const isFree = rivals.every((rival) => rival === racer || !rival.isTaking);
    expect(journal.beginSending(key)).toBe(isFree ? "begun" : "taken");
    if (!isFree) return;
    racer.state = "sending";
    racer.isTaking = true;
    return;
  }
  const next = STEPS[state];
  if (next === undefined) return;
  const to = random.pick(next);
  await moveRow(journal, key, { from: state, to });
  racer.state = to;
  racer.isTaking &&= STATE_TABLE.takingCode.includes(to);
}

describe("two journals of one file", () => {
  it("starts exactly one of two rows with the same code", async () => {
    const first = await openTestJournal({ runs: ["run-1", "run-2"] });
    const second = await openTestJournal({ path: first.path, runs: [] });
    const orders = ["1 2", "2 1", "1 1 2", "2 1 2", "1 2 2"];
    for (const [row, order] of orders.entries()) {
      const code = `race ${order}`;
      const rivals = new Map<string, { journal: Journal; key: RowKey }>();
      for (const [name, { journal }] of Object.entries({ 1: first, 2: second })) {
        const key = await planToSend(journal, { runId: `run-${name}`, row, code });
        rivals.set(name, { journal, key });
      }

      const outcomes = order.split(" ").map((name) => {
        const rival = rivals.get(name);
        try {
          return `${name} ${rival?.journal.beginSending(rival.key)}`;
        } catch {
          return `${name} has begun before`;
        }
      });

      const [winner] = order;
      expect(outcomes).toEqual(
        order.split(" ").map((name, index) => {
          if (name !== winner) return `${name} taken`;
          return index === 0 ? `${name} begun` : `${name} has begun before`;
        }),
      );
    }
  });

  it("never lets two requests take one code, in any order of moves", async () => {
    const random = createRandom(20_261_121);
    const first = await openTestJournal({ runs: ["run-1", "run-2", "run-3"] });
    const second = await openTestJournal({ path: first.path, runs: [] });
    const raw = openRaw(first.path);
    for (let game = 1; game <= 40; game += 1) {
      const code = `game ${game}`;
      const racers: Racer[] = [];
      for (const [index, journal] of [first.journal, second.journal, first.journal].entries()) {
        const key = await planToSend(journal, { runId: `run-${index + 1}`, row: game, code });
        racers.push({ journal, key, state: "ready", isTaking: false });
      }

      for (let turn = 1; turn <= 25; turn += 1) await step(random.pick(racers), racers, random);

      const holders = racers.filter(({ isTaking }) => isTaking).map(({ key }) => key.runId);
      const known = await first.journal.readKnownCodes([code]);
      expect(known.map(({ runId }) => runId)).toEqual(holders);
      expect(holders.length).toBeLessThanOrEqual(1);
      for (const { journal, key, state } of racers)
        expect(await readState(journal, key)).toBe(state);
    }
    // The games prove something only if several rows tried to take a code.
    const [sent] = raw.rows("SELECT max(attempts) AS most FROM run_row");
    expect(sent?.["most"]).toBeGreaterThan(2);
  });

  it("starts each row in exactly one of two processes", { timeout: 120_000 }, async () => {
    const { path, journal, database } = await openTestJournal({ runs: ["run-1", "run-2"] });
    const rows = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const row of rows) {
      for (const runId of ["run-1", "run-2"]) await planToSend(journal, { runId, row });
    }
    database.close();
    const scripts = ["run-1", "run-2"].map((runId) => startScript("race-for-codes", path, runId));
    for (const script of scripts) expect(await script.nextLine()).toBe("waiting");

    for (const script of scripts) script.go();

    const output = await Promise.all(scripts.map((script) => script.nextLine()));
    const begun = output.flatMap((line) => fromLine(line));
    expect(begun.toSorted((a, b) => a - b)).toEqual(rows);
  });
});

const fromLine = (line: string): number[] =>
  line.slice(1, -1).split(",").filter(Boolean).map(Number);

/** Reads all rows of a store, and what each method returns for them. */
async function readAll(journal: Journal): Promise<unknown> {
  return {
    rows: await journal.readRows("run-1", { limit: 10 }),
    counts: await journal.countRows("run-1"),
    duplicates: await journal.readDuplicates("run-1"),
    ambiguous: await journal.readAmbiguous(10),
    codes: await journal.readKnownCodes(["A", "B", "C"]),
    sent: [...(await journal.readLastSent([toProductId("p-1")]))],
    latest: await journal.readLatestAdded(),
    prices: await journal.readPriceEvidence(10),
    seenByCode: await journal.readSeenByCode(["code-p-1"]),
    seenById: await journal.readSeenById([toProductId("p-1")]),
    events: await journal.readEvents({ runId: "run-1", row: 1 }),
  };
}

const NOTHING = {
  rows: [],
  counts: [],
  duplicates: [],
  ambiguous: [],
  codes: [],
  sent: [],
  latest: undefined,
  prices: [],
  seenByCode: [],
  seenById: [],
  events: [],
};

/** Fills a store with rows in several states. */
async function fill(journal: Journal): Promise<void> {
  await sendDone(journal, { runId: "run-1", row: 1, code: "A", fields: { price: 100 } }, "p-1");
  await appendRowIn(journal, { runId: "run-1", row: 2, code: "B" }, "ambiguous");
  await appendRowIn(journal, { runId: "run-1", row: 3, code: "C" }, "sending");
  await appendRowIn(journal, { runId: "run-1", row: 4, code: "D" }, "parsed");
  await appendRowIn(journal, { runId: "run-1", row: 5, code: "D" }, "ready");
  await journal.saveSeen([seen("p-1", { price: 1 })]);
}

describe("two stores in one file", () => {
  it("keeps each store from reading the other's rows", async () => {
    const own = await openTestJournal();
    const other = await openTestJournal({ path: own.path, storeId: "store-2", runs: ["run-2"] });

    await fill(own.journal);

    expect(await readAll(other.journal)).toEqual(NOTHING);
    expect(await other.runs.list(10)).toMatchObject([{ id: "run-2" }]);
    const full = await readAll(own.journal);
    for (const [part, value] of Object.entries(NOTHING)) {
      expect(full).not.toHaveProperty(part, value);
    }
  });

  it("keeps each store from moving the other's rows", async () => {
    const own = await openTestJournal();
    const other = await openTestJournal({ path: own.path, storeId: "store-2", runs: ["run-2"] });
    await fill(own.journal);
    const before = await readAll(own.journal);
    const { journal } = other;

    expect(() => journal.beginSending({ runId: "run-1", row: 5 })).toThrow("this store has no row");
    await expect(
      journal.recordOutcome(
        { runId: "run-1", row: 3, from: "sending" },
        { to: "done", cause: "answer" },
      ),
    ).rejects.toThrow("row 3 of run-1 is not sending");
    await expect(journal.saveDecisions("run-1", [toDecision({ row: 4 }, "ready")])).rejects.toThrow(
      "this store has no run run-1",
    );
    await expect(
      journal.appendRows("run-1", [{ row: 9, cells: [], code: null, codeKey: null }]),
    ).rejects.toThrow("this store has no run run-1");
    expect(await journal.recover()).toBe(0);
    await journal.clearSeen();

    expect(await readAll(own.journal)).toEqual(before);
  });

  it("keeps equal codes, products and cached listings of two stores apart", async () => {
    const own = await openTestJournal();
    const other = await openTestJournal({ path: own.path, storeId: "store-2", runs: ["run-2"] });
    await fill(own.journal);
    const add = await planToSend(other.journal, { runId: "run-2", row: 1, code: "A" });
    const update = { runId: "run-2", row: 2, productId: "p-1" };

    expect(other.journal.beginSending(add)).toBe("begun");
    await appendRowIn(other.journal, update, "sending");
    await other.journal.saveSeen([seen("p-1", { price: 7 })]);

    const shown = await own.journal.readSeenById([toProductId("p-1")]);
    expect(shown.map(({ product }) => product.price)).toEqual([1]);
  });
});

describe("a process that dies", () => {
  const timeout = 30_000;
  it.each([1, 2, 3, 8, 30])(
    "loses nothing that was written before step %i",
    { timeout },
    async (steps) => {
      const { path, journal } = await openTestJournal();
      const script = startScript("send-rows", path, "run-1");
      const output: string[] = [];
      while (output.length < steps) output.push(await script.nextLine());

      await script.kill();

      const states = new Map<number, string>();
      for (const { row, state } of await journal.readRows("run-1", { limit: 1_000 })) {
        states.set(row, state);
      }
      for (const [row, state] of lastStates(output)) {
        expect(isAtOrAfter(states.get(row), state)).toBe(true);
      }
      // At most one request was under way, and its code stays taken until its outcome is known.
      const sending = [...states].filter(([, state]) => state === "sending");
      expect(await journal.recover()).toBe(sending.length);
      const [lost] = await journal.readAmbiguous(10);
      const codes = await journal.readKnownCodes([...states.keys()].map((row) => `C-${row}`));
      expect(codes.filter(({ state }) => state === "ambiguous")).toHaveLength(sending.length);
      expect(lost?.row).toBe(sending[0]?.[0]);
      expect(openRaw(path).rows("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    },
  );
});

/** Returns the last state that was printed for each row. */
function lastStates(output: readonly string[]): Map<number, string> {
  const states = new Map<number, string>();
  for (const line of output) {
    const [state = "", row] = line.split(" ");
    states.set(Number(row), state);
  }
  return states;
}

const ORDER = ["ready", "sending", "done"];

const isAtOrAfter = (state: string | undefined, output: string): boolean =>
  state !== undefined && ORDER.indexOf(state) >= ORDER.indexOf(output);

describe("journals of feed runs and of import runs", () => {
  it("recovers and reconciles only the rows of the journal's own kind", async () => {
    const { journal, runs, database, clock } = await openTestJournal();
    const feeds = createJournal({ database, clock, store: STORE, runKind: "feeds" });
    await runs.create({ ...newRun("run-feed"), command: FEED_COMMAND });
    const own = await planToSend(journal, { runId: "run-1", row: 1, productId: "p-1" });
    const fed = await planToSend(feeds, { runId: "run-feed", row: 1, productId: "p-2" });
    journal.beginSending(own);
    feeds.beginSending(fed);

    const byFeeds = await feeds.recover();
    const untouched = await readState(journal, own);
    const byRuns = await journal.recover();

    expect([byFeeds, untouched, byRuns]).toEqual([1, "sending", 1]);
    expect((await feeds.readAmbiguous(9)).map(({ runId }) => runId)).toEqual(["run-feed"]);
    expect((await journal.readAmbiguous(9)).map(({ runId }) => runId)).toEqual(["run-1"]);
  });

  it("allows only one update of a product under way, over both kinds", async () => {
    const { journal, runs, database, clock } = await openTestJournal();
    const feeds = createJournal({ database, clock, store: STORE, runKind: "feeds" });
    await runs.create({ ...newRun("run-feed"), command: FEED_COMMAND });
    const own = await planToSend(journal, { runId: "run-1", row: 1, productId: "p-1" });
    const fed = await planToSend(feeds, { runId: "run-feed", row: 1, productId: "p-1" });

    expect([journal.beginSending(own), feeds.beginSending(fed)]).toEqual(["begun", "taken"]);
  });
});
