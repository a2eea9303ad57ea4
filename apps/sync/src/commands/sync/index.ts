import { type Command } from "../../context.ts";
import { FLAGS } from "./flags.ts";
// Nothing of it remains at run time; with "type" inside the braces it would be loaded.
import type { Post } from "./notification.ts";

/** What the command needs besides its context. */
export interface SyncParts {
  /** For `--notify`. */
  readonly fetch: Post;
}

/** `catalog sync FEED`: stock and prices as a feed says, once or on a schedule. */
export function createSyncCommand({ fetch }: SyncParts): Command {
  return {
    name: "sync",
    positionals: [
      {
        name: "feed",
        required: true,
        describe: {
          tr: "CSV, XLSX ya da JSON dosyası, bir klasör (en yeni dosya) ya da https adresi",
          en: "A CSV, XLSX or JSON file, a folder (newest file) or an https address",
        },
      },
    ],
    describe: {
      tr: "Stok ve fiyatı bir beslemeye göre günceller; yalnızca değişeni gönderir",
      en: "Updates stock and prices from a feed; sends only what changed",
    },
    flags: FLAGS,
    examples: [
      "sync stok.csv",
      "sync ./beslemeler --reconcile 12h --json",
      'sync https://erp.example.com/stok.csv --every "*/15 * * * *" --health durum.json',
      "sync stok.xlsx --allow price-drop",
    ],
    run: async (context, flags) => (await import("./run.ts")).runSyncCommand(context, flags, fetch),
  };
}
