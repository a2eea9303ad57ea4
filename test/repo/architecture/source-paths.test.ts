import { existsSync } from "node:fs";

import { expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

it("the table of source paths names only files that exist", () => {
  const missing = Object.values(SOURCE_PATHS).filter((path) => !existsSync(toAbsolutePath(path)));

  expect(missing).toEqual([]);
});
