// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand } from "@catalog/console";

import type { WebContext, WebParts } from "./open-site.ts";

export type { StoreLogin as WebLogin } from "../../server/workplace.ts";
export type { WebContext, WebParts, WebSandbox, WebSandboxOptions } from "./open-site.ts";

/** `catalog web`: serves the upload page on this computer until it is stopped. */
export function createWebCommand(readParts: () => Promise<WebParts>): ConsoleCommand<WebContext> {
  return {
    name: "web",
    positionals: [],
    describe: {
      tr: "Dosyaları tarayıcıda denetleyip göndermek için yerel sayfayı açar",
      en: "Opens the local page for checking and sending files in the browser",
    },
    flags: {
      port: {
        type: "number",
        describe: {
          tr: "127.0.0.1 üzerindeki port (verilmezse son kullanılan ya da boş bir port)",
          en: "Port on 127.0.0.1 (the last one or a free one if left out)",
        },
      },
      open: {
        type: "boolean",
        describe: { tr: "Sayfayı tarayıcıda aç", en: "Open the page in the browser" },
      },
      demo: {
        type: "boolean",
        describe: {
          tr: "Yerel bir pazaryeri ve yüklenmiş örnek bir dosyayla dene",
          en: "Try it with a local marketplace and an uploaded sample file",
        },
      },
      install: {
        type: "boolean",
        describe: {
          tr: "Masaüstüne ve menüye sayfayı açan bir simge koy",
          en: "Put an icon that opens the page on the desktop and in the menu",
        },
      },
      uninstall: {
        type: "boolean",
        describe: { tr: "Bu simgeyi kaldır", en: "Remove that icon" },
      },
    },
    examples: ["web", "web --open", "web --install", "web --demo --open"],
    run: async (context, flags) =>
      (await import("./run.ts")).runWebCommand(context, await readParts(), flags),
  };
}
