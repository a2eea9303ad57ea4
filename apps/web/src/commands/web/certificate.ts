/**
 * The certificate of a server of its own. Certificates are renewed while the server runs: once its files
 * are replaced, new connections get the new one, and those that are open go on.
 */

import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import type { Clock } from "@catalog/clock";
import { UsageError } from "@catalog/console";
import { isFileError } from "@catalog/i18n";

import { SERVER_PROBLEMS } from "./texts.ts";

export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Throws {@link UsageError} where the files cannot be read, or do not belong together. */
export function readCertificate({ certPath, keyPath }: CertificateFiles): Certificate {
  try {
    const [cert, key] = [readFileSync(certPath), readFileSync(keyPath)];
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const isKnown = isFileError(error) || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new UsageError(SERVER_PROBLEMS.badCertificate(certPath, keyPath), { cause: error });
  }
}

interface WatchOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly stop: AbortSignal;
  /** The one in use. */
  readonly current: Certificate;
  /** Takes a new one. */
  readonly onNew: (certificate: Certificate) => void;
  /** Told once of files that cannot be used; the one before stays in use. */
  readonly onBad: (error: UsageError) => void;
}

const EVERY_MS = 60_000;

/** Looks at the files every minute until it is stopped; what is replaced one after the other is taken at last. */
export async function watchCertificate(
  files: CertificateFiles,
  { clock, stop, current, onNew, onBad }: WatchOptions,
): Promise<void> {
  let used = current;
  let isTold = false;
  while (!stop.aborted) {
    await clock.sleep(EVERY_MS, stop).catch(() => undefined);
    if (stop.aborted) return;
    try {
      const found = readCertificate(files);
      isTold = false;
      if (found.cert.equals(used.cert) && found.key.equals(used.key)) continue;
      onNew(found);
      used = found;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (!isTold) onBad(error);
      isTold = true;
    }
  }
}
