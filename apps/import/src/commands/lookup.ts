import {
  type Command,
  isLookupKind,
  LOOKUP_KINDS,
  lookUp,
  type LookupKind,
  UsageError,
} from "@catalog/toolkit";

import { EXIT } from "../exit-code.ts";
import { countFlag, textFlag } from "../flags.ts";
import { formatFindings } from "../lookup-view.ts";
import { printJson } from "../run-view.ts";

const DEFAULT_LIMIT = 20;

/** `catalog lookup KIND [TEXT]`: ids for names. */
export const lookupCommand: Command = {
  name: "lookup",
  positionals: [
    {
      name: "kind",
      required: true,
      choices: LOOKUP_KINDS,
      describe: { tr: "Ne aranacağı", en: "What to look for" },
    },
    {
      name: "text",
      required: false,
      describe: { tr: "Ad, adın bir parçası ya da kimlik", en: "Name, part of a name, or id" },
    },
  ],
  describe: {
    tr: "Kategori, marka, model, özellik, şablon ve şehir kimliklerini adlarıyla bulur",
    en: "Finds the ids of categories, brands, models, properties, templates and cities",
  },
  flags: {
    category: {
      type: "string",
      describe: {
        tr: "Marka, model ve özellik için: kategorinin adı, yolu ya da kimliği",
        en: "For brands, models, properties: name, path or id of the category",
      },
    },
    brand: {
      type: "string",
      describe: {
        tr: "Model için: markanın adı ya da kimliği",
        en: "For models: name or id of the brand",
      },
    },
    limit: {
      type: "number",
      describe: {
        tr: `En çok kaç sonuç (${DEFAULT_LIMIT})`,
        en: `Most results (${DEFAULT_LIMIT})`,
      },
    },
  },
  examples: [
    "lookup categories fincan",
    'lookup brands bosh --category "Ev > Fincan"',
    "lookup cities kadikoy",
    "lookup templates --json",
  ],
  async run(context, flags) {
    const kind = kindFlag(textFlag(flags, "kind"));
    const text = textFlag(flags, "text");
    const limit = countFlag(flags, "limit") ?? DEFAULT_LIMIT;
    await using toolkit = await context.openToolkit();
    const findings = await lookUp(toolkit, {
      kind,
      text,
      category: textFlag(flags, "category"),
      brand: textFlag(flags, "brand"),
      limit,
      signal: context.stop,
    });
    if (context.json) {
      printJson(context, { command: "lookup", kind, ...findings, exit: EXIT.done });
      return EXIT.done;
    }
    const { lang, terminal } = context;
    terminal.out(formatFindings(findings, { kind, text, lang, columns: terminal.outColumns }));
    return EXIT.done;
  },
};

function kindFlag(text = ""): LookupKind {
  if (isLookupKind(text)) return text;
  const kinds = LOOKUP_KINDS.join(", ");
  throw new UsageError({
    tr: `"${text}" aranamaz. Bunlar aranabilir: ${kinds}.`,
    en: `"${text}" cannot be looked up. These can: ${kinds}.`,
  });
}
