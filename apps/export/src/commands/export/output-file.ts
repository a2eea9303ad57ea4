/** The file that an export writes: the requested one, or a temporary one for stdout. */

import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { UsageError } from "@catalog/console";

import type { CommandContext } from "../../context.ts";

export interface OutFile extends Disposable {
  /** Absolute path of the file. */
  readonly path: string;
  /** Copies a temporary file to stdout. */
  deliver(): Promise<void>;
}

interface OutFileContext extends Pick<CommandContext, "resolve"> {
  readonly terminal: Pick<CommandContext["terminal"], "outFile">;
}

/** Throws {@link UsageError} when the file cannot be written, before anything is read. */
export function openOutFile(
  { resolve, terminal }: OutFileContext,
  { out, overwrite }: { readonly out: string; readonly overwrite: boolean },
): OutFile {
  if (out !== "-") {
    const path = resolve(out);
    assertWritable(path);
    if (!overwrite) assertFree(path, out);
    return { path, deliver: async () => undefined, [Symbol.dispose]: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), "catalog-export-"));
  const path = join(folder, "out");
  return {
    path,
    async deliver() {
      for await (const text of createReadStream(path, { encoding: "utf8" })) {
        terminal.outFile(String(text));
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file may be the only copy of what an earlier export gave. */
function assertFree(path: string, out: string): void {
  if (!existsSync(path)) return;
  throw new UsageError({
    tr: `"${out}" zaten var; üzerine yazılmadı. Üzerine yazmak için --overwrite ekleyin, ya da --out ile başka bir ad verin.`,
    en: `"${out}" exists and was not replaced. Add --overwrite to replace it, or give another name with --out.`,
  });
}

function assertWritable(path: string): void {
  const folder = dirname(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) {
    throw new UsageError({
      tr: `"${path}" bir klasör. --out ile bir dosya adı verin.`,
      en: `"${path}" is a folder. Give the name of a file with --out.`,
    });
  }
  try {
    // Permissions alone do not show it: /proc and a full quota refuse a file that they seem to allow.
    rmSync(mkdtempSync(join(folder, ".catalog-")), { recursive: true });
  } catch {
    throw new UsageError({
      tr: `"${folder}" klasörüne yazılamıyor. Klasörü oluşturun, izinlerini düzeltin ya da başka bir --out verin.`,
      en: `The folder "${folder}" cannot be written to. Make it, correct its permissions, or give another --out.`,
    });
  }
}
