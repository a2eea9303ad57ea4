/** The tables of routes in the decision records of the page list the routes of its servers. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = { document: "0011-upload-page.md", isOf: (file: string) => !isOfTeam(file) };
const TEAM = { document: "0036-page-for-a-team.md", isOf: isOfTeam };

function isOfTeam(file: string): boolean {
  return file.replaceAll("\\", "/").includes("/server/team/");
}

/** Its routes are described by what they are made of. */
const PROGRAMS = "apps/web/src/server/v1/**";

/** A route as the server adds it: the method, and the path below `/api`. */
const ADDED = /\b(?:app|api|inside|own)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*"(\/[^"]+)"/gu;
const WRITTEN = /`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`?]+)/gu;

const readRoutes = (text: string, pattern: RegExp, prefix = ""): readonly string[] =>
  [...text.matchAll(pattern)].map(
    ([, method = "", path = ""]) => `${method.toUpperCase()} ${prefix}${path}`,
  );

it.each([PAGE, TEAM])("lists every route of its server in $document, and no other", (of) => {
  const files = globSync("apps/web/src/server/**/*.ts", { cwd: ROOT, exclude: [PROGRAMS] }).filter(
    of.isOf,
  );
  const sources = files.map((file) => readFileSync(join(ROOT, file), "utf8"));

  const added = sources.flatMap((text) => readRoutes(text, ADDED, "/api"));
  const text = readFileSync(join(ROOT, "docs/decisions", of.document), "utf8");
  const written = readRoutes(text, WRITTEN);

  expect(added.length).toBeGreaterThan(20);
  expect(written.toSorted()).toEqual(added.toSorted());
});
