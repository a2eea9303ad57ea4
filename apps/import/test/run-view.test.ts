import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import {
  createTestConnection,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "@catalog/console/testing";
import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { countDecided, createProgress, type Progress } from "../src/run-view.ts";
import { textsFor } from "../src/texts.ts";

interface Fixture {
  readonly clock: FakeClock;
  readonly terminal: FakeTerminal;
  readonly progress: Progress;
}

interface FixtureOptions extends FakeTerminalOptions {
  readonly lang?: Lang;
  readonly quiet?: boolean;
}

function start({ lang = "tr", quiet = false, ...options }: FixtureOptions): Fixture {
  const clock = createFakeClock(1_000_000);
  const terminal = createFakeTerminal(options);
  const texts = textsFor(lang);
  const progress = createProgress({ terminal, clock, texts, quiet, laterSeconds: () => 0 });
  progress.show({ phase: "send" });
  return { clock, terminal, progress };
}

/** The text of redrawn lines, as it was visible. */
const drawn = (text: string): string[] => text.split("\r\u001B[2K").slice(1);

describe("progress on a terminal", () => {
  it("redraws one line at most ten times a second, and ends it", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true });

    await clock.advance(100);
    for (let done = 1; done <= 10; done += 1) {
      progress.show({ phase: "send", done, total: 1000 });
      await clock.advance(60);
    }
    progress.end();

    expect(drawn(terminal.written.err)).toEqual([
      "Gönderiliyor",
      "Gönderiliyor 1/1.000",
      "Gönderiliyor 3/1.000",
      "Gönderiliyor 5/1.000",
      "Gönderiliyor 7/1.000",
      "Gönderiliyor 9/1.000 · 15,5 satır/sn",
      "Gönderiliyor 10/1.000 · 15,6 satır/sn\n",
    ]);
    expect(terminal.written.out).toBe("");
  });

  it("shows the rate and the remaining time once it knows them", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true, lang: "en" });

    await clock.advance(20_000);
    progress.show({ phase: "send", done: 100, total: 1000 });
    await clock.advance(20_000);
    progress.show({ phase: "send", done: 1000, total: 1000 });

    expect(drawn(terminal.written.err)).toEqual([
      "Sending",
      "Sending 100/1,000 · 5 rows/s · 3 min left",
      "Sending 1,000/1,000 · 25 rows/s",
    ]);
  });

  it("shows no remaining time in the first two seconds of a phase", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true });

    await clock.advance(1_900);
    progress.show({ phase: "send", done: 10, total: 20 });
    await clock.advance(100);
    progress.show({ phase: "send", done: 10, total: 20 });
    progress.show({ phase: "verify", done: 1, total: 20 });
    await clock.advance(1_999);
    progress.show({ phase: "verify", done: 2, total: 20 });

    expect(drawn(terminal.written.err)).toEqual([
      "Gönderiliyor",
      "Gönderiliyor 10/20 · 5,3 satır/sn",
      "Gönderiliyor 10/20 · 5 satır/sn · kalan 2 sn",
      "Gönderiliyor 10/20 · 5 satır/sn · kalan 2 sn\n",
      "Geri okunuyor 1/20",
      "Geri okunuyor 2/20 · 1 satır/sn",
    ]);
  });

  it("counts without a total", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true, lang: "en" });

    await clock.advance(1000);
    progress.show({ phase: "send", done: 500, total: undefined });

    expect(drawn(terminal.written.err)).toEqual(["Sending", "Sending 500 · 500 rows/s"]);
  });

  it("cuts the line to the width of the terminal", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true, columns: 12 });

    await clock.advance(100);
    progress.show({ phase: "send", done: 1, total: 1000 });

    expect(drawn(terminal.written.err)).toEqual(["Gönderiliyo", "Gönderiliyo"]);
  });

  it("removes the name of a phase that counted nothing", () => {
    const { terminal, progress } = start({ isTerminal: true });

    progress.end();

    expect(drawn(terminal.written.err)).toEqual(["Gönderiliyor", ""]);
  });

  it("leaves the last line of each phase, and names the unit", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true });

    for (const phase of ["read", "store", "codes", "verify"] as const) {
      await clock.advance(2000);
      progress.show({ phase, done: 10, total: 20 });
    }
    progress.show({ phase: "write" });
    progress.end();

    expect(drawn(terminal.written.err).filter((line) => line.endsWith("\n"))).toEqual([
      "Dosya okunuyor 10/20 · 5 satır/sn · kalan 2 sn\n",
      "Mağaza okunuyor 10/20 sayfa · 5 sayfa/sn · kalan 2 sn\n",
      "Ürün kodları aranıyor 10/20 · 5 kod/sn · kalan 2 sn\n",
      "Geri okunuyor 10/20 · 5 satır/sn · kalan 2 sn\n",
    ]);
  });

  it("adds the time of later phases, and shows none where that is not known", async () => {
    const clock = createFakeClock(1_000_000);
    const terminal = createFakeTerminal({ isTerminal: true });
    const shown = { terminal, clock, texts: textsFor("en"), quiet: false };
    const progress = createProgress({
      ...shown,
      laterSeconds: ({ phase }) => (phase === "send" ? 30 : undefined),
    });

    await clock.advance(2000);
    progress.show({ phase: "store", done: 10, total: 20 });
    await clock.advance(2000);
    progress.show({ phase: "send", done: 10, total: 20 });

    expect(drawn(terminal.written.err).map((line) => line.trim())).toEqual([
      "Reading the store 10/20 pages · 5 pages/s",
      "Reading the store 10/20 pages · 5 pages/s",
      "Sending 10/20 · 5 rows/s · 32 s left",
    ]);
  });
});

describe("progress into a file or a pipe", () => {
  it("writes a plain line every ten seconds and one at the end", async () => {
    const { clock, terminal, progress } = start({ lang: "en" });

    for (let second = 1; second <= 25; second += 1) {
      await clock.advance(1000);
      progress.show({ phase: "send", done: second * 10, total: 1000 });
    }
    progress.end();

    expect(terminal.written.err.split("\n")).toEqual([
      "Sending 100/1,000 · 10 rows/s · 90 s left",
      "Sending 200/1,000 · 10 rows/s · 80 s left",
      "Sending 250/1,000 · 10 rows/s · 75 s left",
      "",
    ]);
    expect(terminal.written.err).not.toContain("\r");
    expect(terminal.written.err).not.toContain("\u001B");
  });
});

describe("progress that is switched off", () => {
  it.each([[true], [false]])("is not shown (terminal: %s)", async (isTerminal) => {
    const { clock, terminal, progress } = start({ isTerminal, quiet: true });

    await clock.advance(60_000);
    progress.show({ phase: "send", done: 1, total: 2 });
    progress.end();

    expect(terminal.written).toEqual({ out: "", err: "" });
  });
});

const ROWS = 1_200;

/** A run with rows 2 to 1201, of which every second is held. */
async function countOf(rows: readonly number[]) {
  const { connection } = await createTestConnection();
  await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: Array.from({ length: ROWS }, (_, at): StoredRow => ({
      cells: [`K-${at}`],
      state: at % 2 === 0 ? "held" : "unchanged",
    })),
  });
  let reads = 0;
  const { journal } = connection;
  const readRows: typeof journal.readRows = (id, filter) => {
    reads += 1;
    return journal.readRows(id, filter);
  };
  const counts = await countDecided({ journal: { ...journal, readRows } }, { id: RUN_ID }, rows);
  return { held: counts.held, unchanged: counts.unchanged, rows: counts.rows, reads };
}

it("counts rows that stand together with few readings", async () => {
  const all = Array.from({ length: ROWS }, (_, at) => at + 2);

  expect(await countOf(all)).toEqual({ held: 600, unchanged: 600, rows: 1_200, reads: 3 });
});

it("counts each row once, in any order, and no row that the run lacks", async () => {
  expect(await countOf([1_200, 3, 3, 2, 9_999])).toEqual({
    held: 2,
    unchanged: 1,
    rows: 3,
    reads: 3,
  });
});
