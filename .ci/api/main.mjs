/**
 * Writes the reference of the libraries into `out/api`, and fails where something that they export has
 * no description. TypeDoc needs an earlier TypeScript than the workspace has, so both are installed
 * apart, by the lockfile beside this file, when they are needed first.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { LIBRARIES } from "../package/pack-libraries.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Installs TypeDoc into a folder that appears only once it is complete, and returns the folder. */
function installTypeDoc() {
  const lockfile = readFileSync(join(HERE, "package-lock.json"));
  const hash = createHash("sha256").update(lockfile).digest("hex").slice(0, 12);
  const folder = join(ROOT, ".tools", `typedoc-${hash}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(ROOT, ".tools", "draft-"));
  for (const name of ["package.json", "package-lock.json"])
    cpSync(join(HERE, name), join(draft, name));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd: draft,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return folder;
}

/** Sources of the public modules by the names that users import. */
function listModules() {
  const named = Object.entries(LIBRARIES).flatMap(([library, modules]) =>
    Object.entries(modules).map(([module, path]) => {
      const name = `@catalog/${library}${module === "index" ? "" : `/${module}`}`;
      return [join(ROOT, "packages", path), name];
    }),
  );
  // A module of both libraries is described once, under the name that it has in the first one.
  return new Map(named.toReversed());
}

const main = join(installTypeDoc(), "node_modules/typedoc/dist/index.js");
const { Application } = await import(pathToFileURL(main).href);
const modules = listModules();
const app = await Application.bootstrap({
  name: "catalog-toolkit",
  entryPoints: [...modules.keys()],
  tsconfig: join(ROOT, ".ci/package/tsconfig.node-20.json"),
  readme: join(ROOT, "packages/client/README.md"),
  disableGit: true,
  disableSources: true,
  hideGenerator: true,
  packagesRequiringDocumentation: ["client", "contract", "mapping"].map(
    (name) => `@catalog/${name}`,
  ),
  requiredToBeDocumented: ["Variable", "Function", "Class", "Interface", "TypeAlias"],
  validation: { notDocumented: true, invalidLink: true },
});
const project = await app.convert();
if (project === undefined) process.exit(1);
for (const module of project.children ?? []) {
  module.name = modules.get(project.getSymbolIdFromReflection(module)?.fileName) ?? module.name;
}
app.validate(project);
await app.generateDocs(project, join(ROOT, "out/api"));
process.exitCode = app.logger.hasWarnings() || app.logger.hasErrors() ? 1 : 0;
