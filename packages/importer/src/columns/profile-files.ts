/** Export and import of a store's profiles as files. */

import { writeFile } from "node:fs/promises";
import { extname } from "node:path";

import type { StoreMemory } from "@catalog/connection";
import { InputError } from "@catalog/i18n";

import { parseProfileFile, type ProfileFile, readTextFile } from "../names/rule-file.ts";
import { headerKey } from "./column-profiles.ts";
import type { Profile } from "./profile.ts";

/**
 * Writes a profile to a JSON file; the latest one where its name stands for several sets of
 * headers.
 */
export async function exportProfile(
  { profiles }: Pick<StoreMemory, "profiles">,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<Profile> {
  const profile = (await profiles.list()).findLast((each) => each.name === name);
  if (profile === undefined) throw unknownProfile(name);
  const { columns, constants, decimal, headers } = profile;
  const rest = { name, headers, columns, constants, decimal };
  const file: ProfileFile = { kind: "catalog-profile", version: 1, ...rest };
  await writeFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
  return profile;
}

/** Whether a file states that it is a profile; only JSON files can. */
export async function isProfileFile(path: string): Promise<boolean> {
  if (extname(path).toLowerCase() !== ".json") return false;
  return /"kind"\s*:\s*"catalog-profile"/u.test(await readTextFile(path));
}

/** Reads a profile from a JSON file and saves it under the name in the file. */
export async function importProfile(
  { profiles }: Pick<StoreMemory, "profiles">,
  path: string,
): Promise<Profile> {
  const { name, headers, columns, constants, decimal } = parseProfileFile(
    await readTextFile(path),
    path,
  );
  const rest = { headers, columns, constants, decimal, learntFrom: null };
  const profile = { name, headerKey: headerKey(headers), ...rest };
  await profiles.save(profile);
  return profile;
}

/** Removes a profile. Throws `InputError` where none has the name. */
export async function removeProfile(
  { profiles }: Pick<StoreMemory, "profiles">,
  name: string,
): Promise<void> {
  if ((await profiles.remove(name)) === 0) throw unknownProfile(name);
}

function unknownProfile(name: string): InputError {
  return new InputError({
    tr: `"${name}" adında bir profil yok. "catalog rules list" kuralları ve profilleri gösterir.`,
    en: `There is no profile "${name}". "catalog rules list" shows rules and profiles.`,
  });
}
