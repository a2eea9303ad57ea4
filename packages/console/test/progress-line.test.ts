import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createProgressLine, type ProgressLine } from "../src/index.ts";

interface Open {
  readonly line: ProgressLine;
  readonly clock: FakeClock;
  readonly shown: readonly string[];
}

/** Opens a progress line whose drawings begin with `>`. */
function open(isTerminal: boolean, isQuiet = false): Open {
  const shown: string[] = [];
  const clock = createFakeClock();
  const terminal = {
    isTerminal,
    err: (text: string) => void shown.push(text),
    redraw: (text: string) => void shown.push(`>${text}`),
  };
  return { line: createProgressLine({ terminal, clock, isQuiet }), clock, shown };
}

describe("the progress line", () => {
  it("is drawn at once on a terminal, and again after a tenth of a second", async () => {
    const { line, clock, shown } = open(true);

    line.show(() => "1");
    line.show(() => "2");
    await clock.advance(100);
    line.show(() => "3");

    expect(shown).toEqual([">1", ">3"]);
  });

  it("is written into a file after ten seconds", async () => {
    const { line, clock, shown } = open(false);

    line.show(() => "1");
    await clock.advance(10_000);
    line.show(() => "2");

    expect(shown).toEqual(["2\n"]);
  });

  it("is removed from a terminal once", () => {
    const { line, shown } = open(true);

    line.show(() => "1");
    line.clear();
    line.clear();

    expect(shown).toEqual([">1", ">"]);
  });

  it("is kept with the last text", () => {
    const { line, shown } = open(true);

    line.show(() => "1");
    line.show(() => "2");
    line.keep();
    line.clear();

    expect(shown).toEqual([">1", ">2", "\n"]);
  });

  it("is kept as a plain line in a file", () => {
    const { line, shown } = open(false);

    line.show(() => "1");
    line.keep();

    expect(shown).toEqual(["1\n"]);
  });

  it("leaves nothing in a file without a text, and nothing at all when it is quiet", () => {
    const silent = open(true);
    const quiet = open(true, true);

    silent.line.keep();
    quiet.line.show(() => "1");
    quiet.line.keep();

    expect([...silent.shown, ...quiet.shown]).toEqual([]);
  });
});
