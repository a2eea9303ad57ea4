import type { Wait } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { createWaitNotices } from "../../src/terminal/wait-notices.ts";

/** Lines written for waits that begin one after the other. */
function sayOf(waits: readonly Wait[], isTerminal = false): string {
  let output = "";
  const listeners = new Set<(wait: Wait) => void>();
  createWaitNotices({
    waits: {
      listen(onWait) {
        listeners.add(onWait);
        return { [Symbol.dispose]: () => void listeners.delete(onWait) };
      },
    },
    terminal: {
      err: (text) => (output += text),
      redraw: (line) => (output += `<${line}>`),
      isTerminal,
    },
    lang: "tr",
  });
  for (const wait of waits) for (const listener of listeners) listener(wait);
  return output;
}

const NINE_MS = Date.parse("2026-11-22T06:00:00Z");

describe("the line about a wait", () => {
  it.each([
    ["refused", "Pazaryeri çok fazla istek geldiğini söyledi: saat 09:00 sonrasına kadar"],
    ["quota", "Saatlik istek sınırı doldu: saat 09:00 sonrasına kadar"],
    ["retry", "Pazaryeri bir isteği yanıtlayamadı: saat 09:00 sonrasına kadar"],
  ] as const)("states why and until when it lasts: %s", (reason, start) => {
    expect(sayOf([{ untilMs: NINE_MS, reason }])).toContain(start);
  });

  it("is written once for all calls with the same end", () => {
    const wait = { untilMs: NINE_MS, reason: "refused" } as const;

    const output = sayOf([wait, { ...wait, untilMs: NINE_MS - 1_000 }, wait]);

    expect(output.split("\n")).toHaveLength(2);
  });

  it("replaces a line of progress on a terminal", () => {
    const output = sayOf([{ untilMs: NINE_MS, reason: "quota" }], true);

    expect(output.startsWith("<>Saatlik")).toBe(true);
  });
});
