/** Downloads the table behind a link into a folder, where a later `apply` finds it again. */

import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import { type Localized, makeFolder } from "@catalog/i18n";
import {
  type DownloadLimits,
  FetchError,
  fileDownloadLimits,
  openGuardedFetch,
  retryDownload,
} from "@catalog/images";
import type { ReadLimits, SheetLink } from "@catalog/sheets";

import type { DownloadTable } from "../plan/plan-file-options.ts";

/** Limits of a file that a person or a program gives. */
export type FileLimits = ReadLimits & DownloadLimits;

export interface TableDownloadOptions {
  /** Folder of downloads; created when it is missing. */
  readonly folder: string;
  readonly clock: Clock;
  /** Private servers that are allowed. @default none */
  readonly allowHosts?: readonly string[] | undefined;
  readonly limits?: Partial<DownloadLimits> | undefined;
  /** Maximum number of further attempts where the server or the connection fails. @default 3 */
  readonly retries?: number | undefined;
}

/**
 * Creates the download; a link always has the same file, which each download replaces as a whole.
 */
export function createTableDownload({
  folder,
  clock,
  allowHosts,
  limits: given,
  retries,
}: TableDownloadOptions): DownloadTable {
  const limits = fileDownloadLimits(given);
  return async (link, signal) => {
    const path = join(folder, `${hash(link.downloadUrl)}-${toFileName(link)}`);
    const part = `${path}.part`;
    makeFolder(folder);
    const attempt = async (totalMs: number): Promise<void> => {
      await using fetcher = openGuardedFetch({
        clock,
        allowHosts,
        limits: { ...limits, totalMs },
      });
      await using file = await open(part, "w", 0o600);
      const onChunk = async (chunk: Uint8Array): Promise<void> => {
        await file.writeFile(chunk);
      };
      await fetcher.fetch(link.downloadUrl, { onChunk, signal });
    };
    try {
      await retryDownload(attempt, { clock, totalMs: limits.totalMs, retries, signal });
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
  const link = `${name} (${reason})`;
  if (error.setting === undefined) {
    return new CatalogError("E_TABLE_DOWNLOAD", nameAttempts(link, error));
  }
  const { tr, en } = error.localized;
  return new CatalogError("E_TABLE_DOWNLOAD", {
    tr: `${link}. ${withoutStop(tr)}`,
    en: `${link}. ${withoutStop(en)}`,
  });
}

const nameAttempts = (link: string, { attempts }: FetchError): Localized =>
  attempts === 1
    ? { tr: link, en: link }
    : { tr: `${link}; ${attempts} kez denendi`, en: `${link}, tried ${attempts} times` };

/** The sentence that goes on behind it has a full stop of its own. */
const withoutStop = (text: string): string => text.replace(/\.$/u, "");

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The last part of the name, in characters that every file system accepts. */
function toFileName({ name, kind }: SheetLink): string {
  const last = name.split(/[/?#]/u).findLast((part) => part !== "") ?? "";
  const safe = last.replaceAll(/[^\w.-]/gu, "_").slice(-60);
  return safe.toLowerCase().endsWith(`.${kind}`) ? safe : `${safe}.${kind}`;
}
