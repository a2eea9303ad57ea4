/** Downloads the table behind a link into a folder, where a later `apply` finds it again. */

import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import { FetchError, openGuardedFetch } from "@catalog/images";
import type { SheetLink } from "@catalog/sheets";

import type { DownloadTable } from "../plan/plan-file-options.ts";

export interface TableDownloadOptions {
  /** Folder of downloads; created when it is missing. */
  readonly folder: string;
  readonly clock: Clock;
  /** Private servers that are allowed. @default none */
  readonly allowHosts?: readonly string[] | undefined;
}

/** A workbook of 50,000 products is about 10 MB. */
const LIMITS = { maxBytes: 100 * 1024 * 1024, totalMs: 120_000 } as const;

/**
 * Creates the download; a link always has the same file, which each download replaces as a whole.
 */
export function createTableDownload({
  folder,
  clock,
  allowHosts,
}: TableDownloadOptions): DownloadTable {
  return async (link, signal) => {
    const path = join(folder, `${hash(link.downloadUrl)}-${toFileName(link)}`);
    const part = `${path}.part`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await using fetcher = openGuardedFetch({ clock, allowHosts, limits: LIMITS });
    try {
      await using file = await open(part, "w", 0o600);
      const onChunk = async (chunk: Uint8Array): Promise<void> => {
        await file.writeFile(chunk);
      };
      await fetcher.fetch(link.downloadUrl, { onChunk, signal });
    } catch (error) {
      await rm(part, { force: true });
      throw toDownloadError(error, link);
    }
    await rename(part, path);
    return path;
  };
}

function toDownloadError(error: unknown, { name }: SheetLink): unknown {
  if (!(error instanceof FetchError)) return error;
  const reason = [error.code, error.status].filter((part) => part !== undefined).join(" ");
  return new CatalogError("E_TABLE_DOWNLOAD", `${name} (${reason})`);
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The last part of the name, in characters that every file system accepts. */
function toFileName({ name, kind }: SheetLink): string {
  const last = name.split(/[/?#]/u).findLast((part) => part !== "") ?? "";
  const safe = last.replaceAll(/[^\w.-]/gu, "_").slice(-60);
  return safe.toLowerCase().endsWith(`.${kind}`) ? safe : `${safe}.${kind}`;
}
