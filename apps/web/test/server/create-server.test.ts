import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";

import { expect, it } from "vitest";

import { PRESSABLE_STYLE_HASH } from "../../src/server/create-server.ts";

const PACKAGE = `${sep}node_modules${sep}react-aria${sep}`;

it("the one allowed style is the one that the pinned react-aria puts into the page", () => {
  const components = createRequire(import.meta.url).resolve("react-aria-components");
  const entry = createRequire(components).resolve("react-aria");
  const root = entry.slice(0, entry.indexOf(PACKAGE) + PACKAGE.length);
  const source = readFileSync(join(root, "dist/private/interactions/usePress.mjs"), "utf8");

  const style = /textContent = `([^`]*)`\.trim\(\)/u.exec(source)?.[1]?.trim() ?? "";
  const filled = style.replaceAll(/\$\{[^}]*\}/gu, "data-react-aria-pressable");

  const hash = createHash("sha256").update(filled).digest("base64");
  expect(`sha256-${hash}`).toBe(PRESSABLE_STYLE_HASH);
});
