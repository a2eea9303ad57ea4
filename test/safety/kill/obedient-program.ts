/**
 * A build of the program that obeys orders: it has every crash point and every guard that an order
 * removes, and its longest waits are short. Its sources stay as they are.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { buildProgram } from "@catalog/cli/build-program";
import { readCurrentFiles } from "@catalog/cli/bundle";

import {
  type CatalogOptions,
  type CatalogProcess,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { ROOT, SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";
import { type Replacement, replaceIn } from "../mutants/mutant.ts";
import { type Orders, toEnv } from "./child-orders.ts";
import { CONTROLS } from "./controls.ts";
import { ALL_POINTS, SHORT_WAITS } from "./crash-points.ts";

const FOLDER = join(ROOT, "out", "obedient");
const OBEY = fileURLToPath(new URL("obey-orders.ts", import.meta.url));

const REPLACEMENTS: readonly Replacement[] = [
  ...new Set(ALL_POINTS.map(({ replacement }) => replacement)),
  ...SHORT_WAITS,
  ...CONTROLS,
];

/** Starts the program with orders. */
export type StartObedient = (
  orders: Orders,
  args: readonly string[],
  options: CatalogOptions,
) => CatalogProcess;

let built: Promise<void> | undefined;

/** Builds it where a source has changed since. */
export async function openObedientProgram(): Promise<StartObedient> {
  built ??= isCurrent() ? Promise.resolve() : build();
  await built;
  const program = join(FOLDER, "catalog.js");
  return (orders, args, options) =>
    startCatalog(args, { ...options, program, env: { ...options.env, ...toEnv(orders) } });
}

/** What is imported is evaluated before the module, and the call stands before all others of it. */
const obeyFirst = (source: string): string =>
  source.replace("enableCompileCache(envPaths(", (call) => `obeyOrders(process.env);\n${call}`) +
  `\nimport { obeyOrders } from ${JSON.stringify(OBEY)};\n`;

async function build(): Promise<void> {
  const main = toAbsolutePath(SOURCE_PATHS.cliMain);
  await buildProgram(FOLDER, (path, source) => {
    const mine = REPLACEMENTS.filter(({ file }) => path === toAbsolutePath(file));
    return path === main ? obeyFirst(source) : replaceIn(source, mine);
  });
  writeFileSync(join(FOLDER, "replacements.json"), JSON.stringify(REPLACEMENTS));
}

/** Several test processes may need it, one after the other. */
function isCurrent(): boolean {
  const replacements = join(FOLDER, "replacements.json");
  const isSame =
    existsSync(replacements) && readFileSync(replacements, "utf8") === JSON.stringify(REPLACEMENTS);
  return isSame && readCurrentFiles(pathToFileURL(`${FOLDER}/`)).length > 0;
}
