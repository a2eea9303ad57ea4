import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createProgressLine, printJson } from "../src/index.ts";
import { createLogTerminal } from "../src/terminal.ts";
import { createFakeTerminal } from "../src/testing/index.ts";

it("prints a document on one line", () => {
  const lines: string[] = [];

  printJson({ out: (text) => void lines.push(text) }, { command: "plan", exit: 0 });

  expect(lines).toEqual(['{"command":"plan","exit":0}\n']);
});

/** Opens a progress line whose drawings begin with `>`. */
function open(isTerminal: boolean, isQuiet = false) {
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

const AT = Date.UTC(2026, 10, 27, 9, 45, 3);

const CASES = [
  {
    format: "text",
    json: false,
    out: "2026-11-27T12:45:03+03:00 60 rows: 2 updated.\n",
    err: "2026-11-27T12:45:03+03:00 Sync of 27 Nov\n2026-11-27T12:45:03+03:00   E_FEED_EMPTY\n",
  },
  {
    format: "json",
    json: false,
    out: '{"time":"2026-11-27T12:45:03+03:00","message":"60 rows: 2 updated."}\n',
    err:
      '{"time":"2026-11-27T12:45:03+03:00","message":"Sync of 27 Nov"}\n' +
      '{"time":"2026-11-27T12:45:03+03:00","message":"E_FEED_EMPTY"}\n',
  },
  {
    format: "text",
    json: true,
    out: "60 rows: 2 updated.\n",
    err: "2026-11-27T12:45:03+03:00 Sync of 27 Nov\n2026-11-27T12:45:03+03:00   E_FEED_EMPTY\n",
  },
] as const;

for (const { format, json, ...expected } of CASES) {
  it(`begins every line of a log in ${format} with its time${json ? ", documents excepted" : ""}`, () => {
    const terminal = createFakeTerminal({ isTerminal: true });
    const log = createLogTerminal(terminal, { format, json, clock: createFakeClock(AT) });

    log.redraw("1/60");
    log.out("60 rows: 2 updated.\n");
    log.err("\nSync of 27 Nov\n  E_FEED_EMPTY\n");

    expect(terminal.written).toEqual(expected);
  });
}
