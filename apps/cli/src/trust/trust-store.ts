/**
 * Confirmed configuration files by path and content, stored beside the login, outside every
 * project, where only the person can write.
 */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { UsageError } from "@catalog/console";

import { isPrivate, replacePrivateFile } from "../settings/private-file.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { TrustedFile } from "./trust-schema.ts";

export type { TrustedFile };

export interface TrustStore {
  /** Path of the file, which may not exist. */
  readonly path: string;
  /** Throws `UsageError` when others can write the file, or when it is invalid. */
  list(): Promise<readonly TrustedFile[]>;
  /** Adds a confirmation; it replaces an earlier one for the same path. */
  add(file: TrustedFile): Promise<void>;
  /** Removes a confirmation; returns whether there was one. */
  forget(path: string): Promise<boolean>;
}

export interface TrustStoreOptions {
  readonly folder: string;
  /** Required owner of the file; `undefined` where the system has no owners. */
  readonly ownerId: number | undefined;
}

export function createTrustStore({ folder, ownerId }: TrustStoreOptions): TrustStore {
  const path = join(folder, "trusted.json");

  const list = async (): Promise<readonly TrustedFile[]> => {
    const text = await readIfThere(path);
    if (text === undefined) return [];
    const paths = [dirname(path), path];
    const isOwn = await Promise.all(paths.map((target) => isPrivate(target, ownerId)));
    if (isOwn.includes(false)) throw unusable(path);
    const { trustSchema } = await import("./trust-schema.ts");
    const parsed = trustSchema.safeParse(parseOr(text));
    if (!parsed.success) throw unusable(path);
    return parsed.data.files;
  };
  const write = async (files: readonly TrustedFile[]): Promise<void> =>
    replacePrivateFile(path, JSON.stringify({ files }, null, 2));

  return {
    path,
    list,
    async add({ path: target, sha256, at }) {
      const others = (await list()).filter((file) => file.path !== target);
      await write([...others, { path: target, sha256, at }]);
    },
    async forget(target) {
      const files = await list();
      const others = files.filter((file) => file.path !== target);
      if (others.length < files.length) await write(others);
      return others.length < files.length;
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unusable(path);
  }
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON, which the schema then refuses: the file was edited by hand.
    return undefined;
  }
}

function unusable(path: string): UsageError {
  return new UsageError({
    tr: `${path} okunamıyor, bozulmuş ya da başkalarına açık; içindeki onaylar kullanılmadı. Dosyayı silip ayar dosyalarınızı yeniden onaylayın: catalog trust`,
    en: `${path} cannot be read, is broken or is open to others; what it confirms was not used. Delete it and confirm your configuration files again: catalog trust`,
  });
}
