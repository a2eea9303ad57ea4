/** A terminal that remembers what was written to it; nobody can be asked. */

import { type Terminal } from "@catalog/toolkit";

export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
}

export function createFakeTerminal(): FakeTerminal {
  const written = { out: "", err: "" };
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    isTerminal: false,
    canAsk: false,
    hasColor: false,
    columns: 80,
    outColumns: 80,
    ask: async () => false,
  };
}
