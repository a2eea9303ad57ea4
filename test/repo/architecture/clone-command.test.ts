import { accessSync, constants, readFileSync } from "node:fs";

import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);

it("npx finds this program's own command in a clone where nothing is installed", () => {
  const { bin } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  const path = new URL(bin.catalog, ROOT);

  expect(() => accessSync(path, constants.X_OK)).not.toThrow();
  expect(readFileSync(path, "utf8")).toMatch(/^#!.*node\n/u);
});
