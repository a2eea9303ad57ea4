/** Looks at a bundle of the program, without what builds one. */

import { readFileSync, statSync } from "node:fs";

/** The files of the bundle in a folder; none where it is missing or one of its sources has changed. */
export function readCurrentFiles(folder) {
  try {
    const { sources, files } = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
    const isCurrent = sources.every(([path, sizeBytes, modifiedMs]) => {
      const { size, mtimeMs } = statSync(new URL(path, folder));
      return size === sizeBytes && mtimeMs === modifiedMs;
    });
    return isCurrent ? files : [];
  } catch {
    return [];
  }
}
