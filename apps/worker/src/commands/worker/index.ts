import type { Command } from "../../context.ts";

/** What the program gives to the command besides its context. */
export interface WorkerParts {
  /** The words that start the program, before those of a command. */
  readonly program: readonly string[];
  readonly cwd: string;
  /** Environment of the syncs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the store's data. */
  readonly readHome: () => Promise<string>;
}

/** `catalog worker`: starts the syncs of a store at their times until it is stopped. */
export function createWorkerCommand(readParts: () => Promise<WorkerParts>): Command {
  return {
    name: "worker",
    positionals: [],
    describe: {
      tr: "Sayfada eklenen eşitlemeleri zamanı gelince yapar; durdurulana kadar çalışır",
      en: "Runs the syncs that were added on the page at their times, until it is stopped",
    },
    flags: {
      metrics: {
        type: "number",
        describe: {
          tr: "Ölçümlerin (OpenMetrics) 127.0.0.1 üzerinde okunacağı port; 0 boş bir port seçer",
          en: "Port on 127.0.0.1 at which metrics (OpenMetrics) are read; 0 takes a free one",
        },
      },
    },
    examples: ["worker", "worker --json", "worker --metrics 9464"],
    run: async (context, flags) =>
      (await import("./run.ts")).runWorkerCommand(context, await readParts(), flags),
  };
}
