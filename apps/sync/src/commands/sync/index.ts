// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Post } from "@catalog/jobs";

import type { Command } from "../../context.ts";
import { FLAGS } from "./flags.ts";

/** Dependencies of the command besides its context. */
export interface SyncParts {
  /** Sends notifications for `--notify`. */
  readonly fetch: Post;
}

/** `catalog sync FEED`: updates stock and prices from a feed, once or on a schedule. */
export function createSyncCommand({ fetch }: SyncParts): Command {
  return {
    name: "sync",
    isPatient: true,
    positionals: [
      {
        name: "feed",
        word: { tr: "besleme", en: "feed" },
        required: true,
        describe: {
          tr: "CSV, Excel, XML ya da JSON dosyası, bir klasör (en yeni dosya) ya da https adresi",
          en: "A CSV, Excel, XML or JSON file, a folder (newest file) or an https address",
        },
      },
    ],
    describe: {
      tr: "Stok ve fiyatı bir beslemeye (stok/fiyat dosyası) göre günceller; yalnızca değişeni gönderir",
      en: "Updates stock and prices from a feed; sends only what changed",
    },
    flags: FLAGS,
    examples: [
      { tr: "sync stok.csv", en: "sync stock.csv" },
      {
        tr: "sync ./beslemeler --reconcile 12h --json",
        en: "sync ./feeds --reconcile 12h --json",
      },
      {
        tr: 'sync https://erp.example.com/stok.csv --every "*/15 * * * *" --health durum.json',
        en: 'sync https://erp.example.com/stock.csv --every "*/15 * * * *" --health status.json',
      },
      { tr: "sync stok.xlsx --allow price-drop", en: "sync stock.xlsx --allow price-drop" },
    ],
    run: async (context, flags) => (await import("./run.ts")).runSyncCommand(context, flags, fetch),
  };
}
