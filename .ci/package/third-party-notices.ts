/** Collects the licences of packages whose code is in a bundle, as most of them ask for. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";

/** Name of the file with the licences. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

const RULE = `\n${"-".repeat(80)}\n\n`;

/**
 * The licences of the packages that the modules were taken from. Modules outside of `node_modules`
 * are passed over.
 */
export function formatNotices(modules: readonly string[]): string {
  // The bundler's own modules have ids that are no paths.
  const installed = modules.filter(
    (id) => isAbsolute(id) && id.includes(`${sep}node_modules${sep}`),
  );
  const folders = new Set(installed.map((id) => findPackage(dirname(id))));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = readManifest(folder);
    const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/iu.test(each));
    const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${version} (${license ?? "see its text"})\n\n${text}\n`;
  });
  return ["This package contains code of the following ones.\n", ...notices.toSorted()].join(RULE);
}

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly license?: string;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The package that a folder belongs to; manifests in folders within one have no version. */
function findPackage(folder: string): string {
  const isRoot =
    existsSync(join(folder, "package.json")) && readManifest(folder).version !== undefined;
  return isRoot ? folder : findPackage(dirname(folder));
}
