/** A terminal that records its output; questions cannot be asked. */

import type { Terminal } from "@catalog/console";

export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
}

export function createFakeTerminal(): FakeTerminal {
  const written = { out: "", err: "" };
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outFile: (text) => void (written.out += text),
    redraw: (line) => void (written.err += `\r\u001B[2K${line.slice(0, 80 - 1)}`),
    shown: (text) => text,
    isTerminal: false,
    canAsk: false,
    hasColor: false,
    columns: 80,
    outColumns: 80,
    ask: async () => false,
  };
}
