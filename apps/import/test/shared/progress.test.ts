import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "@catalog/console/testing";
import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { createProgress, type Progress } from "../../src/shared/progress.ts";
import { textsFor } from "../../src/shared/texts.ts";

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
  const progress = createProgress({ terminal, clock, texts, label: texts.sending, quiet });
  return { clock, terminal, progress };
}

/** The text of redrawn lines, as it was visible. */
const drawn = (text: string): string[] => text.split("\r\u001B[2K").slice(1);

describe("progress on a terminal", () => {
  it("redraws one line at most ten times a second, and ends it", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true });

    for (let done = 1; done <= 10; done += 1) {
      progress.update(done, 1000);
      await clock.advance(60);
    }
    progress.end();

    expect(drawn(terminal.written.err)).toEqual([
      "Gönderiliyor 1/1.000",
      "Gönderiliyor 3/1.000",
      "Gönderiliyor 5/1.000",
      "Gönderiliyor 7/1.000",
      "Gönderiliyor 9/1.000",
      "Gönderiliyor 10/1.000 · 16,7 satır/sn · kalan 60 sn\n",
    ]);
    expect(terminal.written.out).toBe("");
  });

  it("shows the rate and the remaining time once it knows them", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true, lang: "en" });

    await clock.advance(20_000);
    progress.update(100, 1000);
    await clock.advance(20_000);
    progress.update(1000, 1000);

    expect(drawn(terminal.written.err)).toEqual([
      "Sending 100/1,000 · 5 rows/s · 3 min left",
      "Sending 1,000/1,000 · 25 rows/s",
    ]);
  });

  it("counts without a total", async () => {
    const { clock, terminal, progress } = start({ isTerminal: true, lang: "en" });

    await clock.advance(1000);
    progress.update(500, undefined);

    expect(drawn(terminal.written.err)).toEqual(["Sending 500 · 500 rows/s"]);
  });

  it("cuts the line to the width of the terminal", () => {
    const { terminal, progress } = start({ isTerminal: true, columns: 12 });

    progress.update(1, 1000);

    expect(drawn(terminal.written.err)).toEqual(["Gönderiliyo"]);
  });

  it("leaves no empty line when nothing was shown", () => {
    const { terminal, progress } = start({ isTerminal: true });

    progress.end();

    expect(terminal.written.err).toBe("");
  });
});

describe("progress into a file or a pipe", () => {
  it("writes a plain line every ten seconds and one at the end", async () => {
    const { clock, terminal, progress } = start({ lang: "en" });

    for (let second = 1; second <= 25; second += 1) {
      await clock.advance(1000);
      progress.update(second * 10, 1000);
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
    progress.update(1, 2);
    progress.end();

    expect(terminal.written).toEqual({ out: "", err: "" });
  });
});
