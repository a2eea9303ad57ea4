import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { SLOW_FILES } from "../../slow-first.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("each file that starts first exists", () => {
  expect(SLOW_FILES.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});
