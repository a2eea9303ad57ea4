/** Commands for tests, with one flag of each type. */

import type { Flags } from "@catalog/console";

import type { Command, CommandContext } from "../../src/context.ts";

export function createCommand(
  run: (context: CommandContext, flags: Flags) => Promise<number> = async () => 0,
): Command {
  return {
    name: "send",
    positionals: [
      { name: "file", required: true, describe: { tr: "Dosya", en: "File" } },
      { name: "place", required: false, describe: { tr: "Yer", en: "Place" } },
    ],
    describe: { tr: "Dosyayı gönderir", en: "Sends a file" },
    flags: {
      map: { type: "string", many: true, describe: { tr: "Eşleme", en: "Mapping" } },
      mode: {
        type: "string",
        choices: ["add", "update"],
        default: "add",
        describe: { tr: "Kip", en: "Mode" },
      },
      port: { type: "number", describe: { tr: "Port", en: "Port" } },
      yes: { type: "boolean", describe: { tr: "Sorma", en: "Do not ask" } },
    },
    examples: ["send a.xlsx --yes"],
    run,
  };
}
