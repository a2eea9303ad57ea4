// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { TrustParts } from "./run.ts";

/** `catalog trust`: shows the settings of a configuration file, and trusts it once confirmed. */
export function createTrustCommand(parts: TrustParts): Command {
  return {
    name: "trust",
    positionals: [
      {
        name: "path",
        word: { tr: "klasör", en: "path" },
        required: false,
        describe: {
          tr: "Ayar dosyası ya da klasörü; verilmezse bu klasörünki",
          en: "The configuration file or its folder (default: this folder)",
        },
      },
    ],
    describe: {
      tr: "Bir klasörün ayar dosyasını gösterir, sorar ve kullanılmasına izin verir",
      en: "Shows the configuration file of a folder and, once you confirm, lets it be used",
    },
    flags: TRUST_FLAGS,
    examples: ["trust", "trust catalog.config.json --yes", "trust --list", "trust --forget"],
    run: async (context, flags) =>
      (await import("./run.ts")).runTrustCommand(context, parts, flags),
  };
}

const TRUST_FLAGS: Command["flags"] = {
  yes: {
    type: "boolean",
    describe: { tr: "Sormadan onayla", en: "Confirm without asking" },
  },
  list: {
    type: "boolean",
    describe: { tr: "Onaylanmış dosyaları göster", en: "Show the files that are trusted" },
  },
  forget: {
    type: "boolean",
    describe: { tr: "Dosyanın onayını kaldır", en: "Stop trusting the file" },
  },
};
