import type { Command } from "../../context.ts";

/** What the command may do. */
const SCHEDULE_ACTIONS = ["list"] as const;

/** Settings of one store, by the names of their environment variables. */
export type StoreSettings = Readonly<Record<string, string>>;

/** What the program gives to the command besides its context. */
export interface ScheduleParts {
  /** Reads a list of stores; throws `UsageError` for one that cannot be used. */
  readonly readStores: (path: string) => Promise<readonly StoreSettings[]>;
}

/** `catalog schedule list`: lists the scheduled syncs and how they fare. */
export function createScheduleCommand(readParts: () => Promise<ScheduleParts>): Command {
  return {
    name: "schedule",
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: false,
        choices: SCHEDULE_ACTIONS,
        describe: { tr: "Ne yapılacağı (list)", en: "What to do (list)" },
      },
    ],
    describe: {
      tr: "Zamanlanmış eşitlemeleri listeler: ne zaman, son sonuç, sıradaki zaman, sağlıklı mı",
      en: "Lists the scheduled syncs with their last result, next time and health",
    },
    flags: {
      stores: {
        type: "string",
        describe: {
          tr: "Mağazaların listesi (JSON), worker komutundaki gibi; verilmezse tek mağaza",
          en: "List of stores (JSON), as for worker; without it, one store",
        },
      },
    },
    examples: ["schedule list", "schedule list --json", "schedule list --stores stores.json"],
    run: async (context, flags) =>
      (await import("./run.ts")).runScheduleCommand(context, flags, await readParts()),
  };
}
