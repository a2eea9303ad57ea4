import { type Command as ConsoleCommand, groupFlags } from "@catalog/console";

import type { WebContext, WebParts } from "./open-site.ts";

export type { StoreLogin as WebLogin } from "../../server/workplace.ts";
export type { WebContext, WebParts, WebSandbox, WebSandboxOptions } from "./open-site.ts";

const SERVER_GROUP = { tr: "Ekip için", en: "For a team" } as const;

const SERVER_FLAGS = {
  server: {
    type: "boolean",
    describe: {
      tr: "Sayfayı bir ekibe aç: kişiler, yetkiler, birden çok mağaza",
      en: "Serve the page to a team: people, roles, several stores",
    },
  },
  url: {
    type: "string",
    describe: {
      tr: "Kişilerin kullanacağı adres (https://…)",
      en: "Address that people use (https://…)",
    },
  },
  "tls-cert": {
    type: "string",
    describe: { tr: "Sertifika dosyası (PEM)", en: "File of the certificate (PEM)" },
  },
  "tls-key": {
    type: "string",
    describe: { tr: "Sertifikanın anahtar dosyası", en: "File of the certificate's key" },
  },
  "behind-proxy": {
    type: "boolean",
    describe: {
      tr: "Sertifika öndeki ters proxy'de",
      en: "A reverse proxy in front has the certificate",
    },
  },
  host: {
    type: "string",
    describe: {
      tr: "Dinlenecek IP adresi (varsayılan 127.0.0.1)",
      en: "IP address to listen on (default 127.0.0.1)",
    },
  },
  metrics: {
    type: "number",
    describe: {
      tr: "Ölçümlerin 127.0.0.1 üzerindeki portu",
      en: "Port on 127.0.0.1 for the metrics",
    },
  },
} as const;

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
      ...groupFlags(SERVER_GROUP, SERVER_FLAGS),
    },
    examples: [
      "web",
      "web --open",
      "web --install",
      "web --demo --open",
      "web --server --url https://katalog.example.com --behind-proxy",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runWebCommand(context, await readParts(), flags),
  };
}
