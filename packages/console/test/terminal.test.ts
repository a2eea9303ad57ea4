import { expect, it } from "vitest";

import { printJson } from "../src/index.ts";

it("prints a document on one line", () => {
  const lines: string[] = [];

  printJson({ out: (text) => void lines.push(text) }, { command: "plan", exit: 0 });

  expect(lines).toEqual(['{"command":"plan","exit":0}\n']);
});
