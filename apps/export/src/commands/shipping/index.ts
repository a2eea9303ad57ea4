import { type Command as ConsoleCommand, type FlagDefinition, readFlag } from "@catalog/console";
import type { ExportKind } from "@catalog/exporter/kinds";
import type { Localized } from "@catalog/i18n";

import type { Command, CommandContext } from "../../context.ts";
import { flagsOf } from "../export/flags.ts";

/** What `catalog shipping` lists. */
export type ShippingList = "templates" | "companies" | "addresses" | "prices";

/** The kind of export that reads each list. */
export const SHIPPING_LISTS: Readonly<Record<ShippingList, ExportKind>> = {
  templates: "templates",
  companies: "companies",
  addresses: "addresses",
  prices: "shipping-prices",
};

export const isShippingList = (word: string): word is ShippingList =>
  Object.hasOwn(SHIPPING_LISTS, word);

const OUT: FlagDefinition = {
  type: "string",
  describe: {
    tr: "Yazılacak dosya; verilmezse liste ekrana yazılır",
    en: "File to write (default: the list is printed)",
  },
};

/** The packages are the file itself. */
const flagsOfList = (list: ShippingList): Readonly<Record<string, FlagDefinition>> => {
  const { packages: _, ...flags } = flagsOf(SHIPPING_LISTS[list]);
  return { ...flags, out: OUT };
};

const TABLES: Readonly<Record<ShippingList, Command["flags"]>> = {
  templates: flagsOfList("templates"),
  companies: flagsOfList("companies"),
  addresses: flagsOfList("addresses"),
  prices: flagsOfList("prices"),
};

const SENDING = "templates import";

const DESCRIBE_SENDING: Localized = {
  tr: "Dışa aktarılıp değiştirilmiş teslimat şablonlarını gönderir; kimliği olmayan satır yeni şablondur",
  en: "Sends shipping templates that were exported and changed; a row without an id is a new one",
};

const ACTION: Command["positionals"][number] = {
  name: "what",
  word: { tr: "işlem", en: "action" },
  required: false,
  describe: {
    tr: "templates için export ya da import; prices için paketleri olan dosya",
    en: "For templates: export or import; for prices: the file of packages",
  },
};

const DESCRIBES: Readonly<Record<ShippingList, Localized>> = {
  templates: {
    tr: "Teslimat şablonlarını listeler; export değiştirilebilecek bir dosyaya yazar",
    en: "Lists the shipping templates; export writes them to a file that can be changed",
  },
  companies: {
    tr: "Kargo firmalarını kimlikleriyle listeler",
    en: "Lists the shipping companies with their ids",
  },
  addresses: {
    tr: "Teslimat şablonlarının kullandığı adresleri kimlikleriyle listeler",
    en: "Lists the addresses of the shipping templates with their ids",
  },
  prices: {
    tr: "Anlaşmalı firmaların paketler için istediği ücretleri listeler, en ucuzunu işaretler; her paket bir istektir",
    en: "Lists what the contracted companies ask for packages, the cheapest marked; each package takes a call",
  },
};

const EXAMPLES: readonly (string | Localized)[] = [
  {
    tr: "shipping templates export sablonlar.xlsx",
    en: "shipping templates export templates.xlsx",
  },
  {
    tr: "shipping templates import sablonlar.xlsx --plan",
    en: "shipping templates import templates.xlsx --plan",
  },
  {
    tr: "shipping templates import sablonlar.xlsx",
    en: "shipping templates import templates.xlsx",
  },
  "shipping templates",
  "shipping companies --contracted",
  { tr: "shipping addresses --out adresler.csv", en: "shipping addresses --out addresses.csv" },
  {
    tr: "shipping prices paketler.xlsx --out ucretler.xlsx",
    en: "shipping prices packages.xlsx --out prices.xlsx",
  },
  "shipping prices --package 5f1e0c2d3b4a596877665544",
];

const LIST: Command["positionals"][number] = {
  name: "list",
  word: { tr: "liste", en: "list" },
  required: true,
  choices: Object.keys(SHIPPING_LISTS),
  describe: {
    tr: "Ne listeleneceği; seçenekleri: catalog shipping prices --help",
    en: "What to list; its options: catalog shipping prices --help",
  },
};

const WHAT: Readonly<Partial<Record<ShippingList, Command["positionals"][number]>>> = {
  templates: {
    name: "what",
    word: { tr: "işlem", en: "action" },
    required: false,
    choices: ["export", "import"],
    describe: {
      tr: "export: dosyaya yazar; import: değiştirilmiş dosyayı gönderir",
      en: "export: writes them to a file; import: sends a file that was changed",
    },
  },
  prices: {
    name: "what",
    word: { tr: "dosya", en: "file" },
    required: false,
    describe: {
      tr: "Paketleri olan dosya; “Paket ID” sütunu okunur (export orders yazar)",
      en: "A file of packages; its column “Package ID” is read (export orders writes one)",
    },
  },
};

const FILE: Command["positionals"][number] = {
  name: "file",
  word: { tr: "hedef", en: "target" },
  required: false,
  describe: {
    tr: "templates export için yazılacak dosya (--out yerine), import için okunacak",
    en: "For templates export: the file to write, in place of --out; for import: the file to read",
  },
};

/** Flags of all lists. */
export const SHIPPING_FLAGS: Command["flags"] = {
  ...TABLES.templates,
  ...TABLES.companies,
  ...TABLES.addresses,
  ...TABLES.prices,
};

/** How a changed file of templates is sent. */
export type TemplateImport<Context extends CommandContext> = Pick<
  ConsoleCommand<Context>,
  "flags" | "run" | "goOn"
>;

/** `catalog shipping LIST`: lists what shipping has, and sends a changed file of templates. */
export function createShippingCommand<Context extends CommandContext>(
  sending: TemplateImport<Context>,
): ConsoleCommand<Context> {
  const tables = { ...TABLES, [SENDING]: sending.flags };
  return {
    name: "shipping",
    isPatient: true,
    positionals: [LIST, ACTION, FILE],
    describe: {
      tr: "Teslimat şablonlarını listeler, değiştirir; kargo firmalarını, adresleri, ücretleri listeler",
      en: "Lists and changes shipping templates; lists companies, addresses and prices",
    },
    flags: { ...sending.flags, ...SHIPPING_FLAGS },
    examples: EXAMPLES,
    helpFor(words) {
      const list = words.find(isShippingList);
      if (list === undefined) return {};
      const isSent = list === "templates" && words.includes("import");
      const usage = isSent ? `shipping ${SENDING}` : `shipping ${list}`;
      const what = isSent ? undefined : WHAT[list];
      return {
        usage,
        positionals: [
          ...(what === undefined ? [] : [what]),
          ...(list === "templates" ? [FILE] : []),
        ],
        describe: isSent ? DESCRIBE_SENDING : DESCRIBES[list],
        flags: isSent ? sending.flags : TABLES[list],
        examples: EXAMPLES.filter((example) =>
          `${typeof example === "string" ? example : example.en} `.startsWith(`${usage} `),
        ),
      };
    },
    async run(context, flags) {
      const list = String(flags["list"]);
      const isSent = list === "templates" && flags["what"] === "import";
      const action = isSent ? SENDING : list;
      readFlag.assertOf(flags, { command: "shipping", action, tables });
      if (isSent) return await sending.run(context, flags);
      return (await import("./run.ts")).runShippingCommand(context, flags);
    },
    goOn: async (context, flags, broken) => {
      if (sending.goOn === undefined) throw broken.error;
      return await sending.goOn(context, flags, broken);
    },
  };
}
