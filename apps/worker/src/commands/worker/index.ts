// `import type` loads nothing at run time, unlike `import { type … }`.
import type { FoundStore } from "@catalog/connection";
import { SHARED_FLAGS } from "@catalog/console";

import type { Command } from "../../context.ts";

/** Kinds of work that can be chosen. */
export const WORK_KINDS = ["sync", "apply"] as const;

/** What the program gives to the command besides its context. */
export interface WorkerParts {
  /** The words that start the program, before those of a command. */
  readonly program: readonly string[];
  readonly cwd: string;
  /** Environment of the commands that are started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the store's data. */
  readonly readHome: () => Promise<string>;
  /** Reads a list of stores; throws `UsageError` for one that cannot be used. */
  readonly readStores: (path: string) => Promise<readonly FoundStore[]>;
}

/** `catalog worker`: does the work of a store, or of many, until it is stopped. */
export function createWorkerCommand(readParts: () => Promise<WorkerParts>): Command {
  return {
    name: "worker",
    isPatient: true,
    positionals: [],
    describe: {
      tr: "Zamanı gelen eşitlemeleri ve sıraya alınan gönderimleri yapar; durdurulana kadar çalışır",
      en: "Runs scheduled syncs and sends queued runs until it is stopped",
    },
    flags: WORKER_FLAGS,
    examples: [
      "worker",
      "worker --kinds apply",
      { tr: "worker --store mutfak", en: "worker --store kitchen" },
      "worker --stores stores.json --metrics 9464",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runWorkerCommand(context, flags, await readParts()),
  };
}

const WORKER_FLAGS: Command["flags"] = {
  kinds: {
    type: "string",
    describe: {
      tr: "Yapılacak işler: sync (eşitleme), apply (gönderim)",
      en: "Kinds of work to do: sync, apply",
    },
    words: WORK_KINDS,
  },
  stores: {
    type: "string",
    describe: {
      tr: "Mağazaların listesi (JSON); verilmezse saklanan bütün mağazalar ya da --store",
      en: "List of stores (JSON); without it, all stored stores, or that of --store",
    },
  },
  "max-commands": {
    type: "number",
    describe: {
      tr: "Aynı anda en çok bu kadar iş yap (verilmezse 4)",
      en: "Maximum commands at a time (default: 4)",
    },
  },
  "log-format": SHARED_FLAGS.logFormat,
  metrics: {
    type: "number",
    describe: {
      tr: "Ölçümlerin (OpenMetrics) 127.0.0.1 üzerinde okunacağı port; 0 boş bir port seçer",
      en: "Port on 127.0.0.1 that serves metrics (OpenMetrics); 0 picks a free one",
    },
  },
};
