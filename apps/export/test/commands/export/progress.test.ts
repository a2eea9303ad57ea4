import { createFakeClock } from "@catalog/clock/testing";
import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import {
  createExportProgress,
  type ExportProgress,
  textsFor,
} from "../../../src/commands/export/progress.ts";

interface Fixture {
  readonly isTerminal?: boolean;
  readonly isQuiet?: boolean;
  readonly lang?: Lang;
}

function watchOf({ isTerminal = false, isQuiet = false, lang = "tr" }: Fixture): {
  readonly watch: ExportProgress;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly said: () => string;
} {
  let output = "";
  const clock = createFakeClock(Date.UTC(2026, 0, 31, 9));
  const terminal = {
    err: (text: string) => void (output += text),
    redraw: (line: string) => void (output += `<${line}>`),
    isTerminal,
    columns: isQuiet ? 31 : 30,
  };
  const texts = textsFor(lang);
  const watch = createExportProgress({
    terminal,
    clock,
    texts,
    isQuiet,
    kind: "orders",
    lang,
    estimateSeconds: async (calls) => calls,
  });
  return { watch, clock, said: () => output };
}

const PAGE = {
  event: "page",
  items: 1_500,
  expected: 20_000,
  pages: { read: 30, of: 400 },
  callsLeft: 370,
} as const;

describe("createExportProgress", () => {
  it.each([
    ["tr", "Okumak için yaklaşık 400 istek daha gerekiyor, 7 dakika sürer.\n"],
    ["en", "Reading takes about 400 more calls, 7 minutes.\n"],
  ] as const)("states the needed calls in advance, in %s", async (lang, line) => {
    const { watch, said } = watchOf({ lang, isQuiet: true });

    watch.note({ event: "planned", calls: 400 });
    await Promise.resolve();

    expect(said()).toBe(line);
  });

  it("redraws one line, and clears it at the end", () => {
    const { watch, said } = watchOf({ isTerminal: true });

    watch.note(PAGE);
    watch.note({ ...PAGE, items: 1_550 });
    watch.end();
    watch.end();

    expect(said()).toBe("<Mağaza okunuyor 30/400 sayfa · 1.500 kayıt><>");
  });

  it("writes a plain line now and then without a terminal", async () => {
    const { watch, clock, said } = watchOf({ lang: "en" });

    watch.note(PAGE);
    await clock.advance(10_000);
    watch.note(PAGE);
    watch.note({ ...PAGE, callsLeft: undefined });

    expect(said()).toBe("Reading the store 30/400 pages · 1,500 records\n");
  });

  it("shows no time left in the first two seconds", async () => {
    const { watch, clock, said } = watchOf({ isTerminal: true, lang: "en" });

    watch.note({ ...PAGE, pages: { read: 1, of: 400 }, callsLeft: 399 });
    await clock.advance(1_999);
    watch.note({ ...PAGE, pages: { read: 200, of: 400 }, callsLeft: 200 });

    expect(said()).toBe(
      "<Reading the store 1/400 pages · 1,500 records>" +
        "<Reading the store 200/400 pages · 1,500 records>",
    );
  });

  it("states the time left by the rate of its calls, and none where that is not known", async () => {
    const { watch, clock, said } = watchOf({ isTerminal: true, lang: "en" });

    watch.note({ ...PAGE, pages: undefined, callsLeft: undefined });
    await clock.advance(1_000);
    watch.note({ ...PAGE, pages: { read: 1, of: 400 }, callsLeft: 399 });
    await clock.advance(1_000);
    watch.note({ ...PAGE, pages: { read: 200, of: 400 }, callsLeft: 200 });
    watch.note({ event: "writing" });

    expect(said()).toBe(
      "<Reading the store 1,500 records>" +
        "<Reading the store 1/400 pages · 1,500 records>" +
        "<Reading the store 200/400 pages · 1,500 records · 3 seconds left>" +
        "<><Writing the file>",
    );
  });

  it("shows no progress when it is quiet, but says that it resumes", () => {
    const { watch, said } = watchOf({ isQuiet: true, isTerminal: true });

    watch.note({ event: "resumed", items: 1_000 });
    watch.note(PAGE);

    expect(said().split("\n")).toEqual([
      "Yarım kalan dışa aktarma",
      "sürüyor: 1.000 kayıt okunmuştu",
      "(--fresh baştan başlatır).",
      "",
    ]);
  });
});
