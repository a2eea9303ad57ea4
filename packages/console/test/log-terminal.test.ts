import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { createLogTerminal } from "../src/terminal.ts";
import { createFakeTerminal } from "../src/testing/index.ts";

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
