import { accessSync, constants, readFileSync } from "node:fs";

import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);

it.each(["catalog-toolkit", "catalog"])("npx finds our own %s in a fresh clone", (name) => {
  const { bin } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  const path = new URL(bin[name], ROOT);

  expect(() => accessSync(path, constants.X_OK)).not.toThrow();
  expect(readFileSync(path, "utf8")).toMatch(/^#!.*node\n/u);
});
