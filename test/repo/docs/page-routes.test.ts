/** The table of routes in the decision record of the page lists the routes of the server. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DOCUMENT = join(ROOT, "docs/decisions/0011-upload-page.md");

/** A route as the server adds it: the method, and the path below `/api`. */
const ADDED = /\b(?:app|api|inside)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*"(\/[^"]+)"/gu;
const WRITTEN = /`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`?]+)/gu;

const readRoutes = (text: string, pattern: RegExp, prefix = ""): readonly string[] =>
  [...text.matchAll(pattern)].map(
    ([, method = "", path = ""]) => `${method.toUpperCase()} ${prefix}${path}`,
  );

it("lists every route of the page's server, and no other", () => {
  const files = globSync("apps/web/src/server/**/*.ts", { cwd: ROOT });
  const sources = files.map((file) => readFileSync(join(ROOT, file), "utf8"));

  const added = sources.flatMap((text) => readRoutes(text, ADDED, "/api"));
  const written = readRoutes(readFileSync(DOCUMENT, "utf8"), WRITTEN);

  expect(added.length).toBeGreaterThan(40);
  expect(written.toSorted()).toEqual(added.toSorted());
});
