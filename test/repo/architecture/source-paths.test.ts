import { existsSync, readdirSync } from "node:fs";

import { expect, it } from "vitest";

import { CASE_NAMES } from "../../bench/bench-tools.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

it("the table of source paths names only files that exist", () => {
  const missing = Object.values(SOURCE_PATHS).filter((path) => !existsSync(toAbsolutePath(path)));

  expect(missing).toEqual([]);
});

it("the list of measured cases names each file of their folder", () => {
  const files = readdirSync(new URL("../../bench/cases", import.meta.url));

  expect(CASE_NAMES.map((name) => `${name}.ts`)).toEqual(files.toSorted());
});
