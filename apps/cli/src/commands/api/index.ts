import { type FlagDefinition, SHARED_FLAGS } from "@catalog/console";

import type { Command } from "../../context.ts";
import type { LoginParts } from "../login/index.ts";
import { CALL_NAMES } from "./call-names.ts";

/** What the command uses besides its context. */
export type ApiParts = Pick<LoginParts, "readInput">;

/** Number of calls that the log shows. */
export const LOGGED_CALLS = 20;

const FLAGS: Readonly<Record<string, FlagDefinition>> = {
  list: {
    type: "boolean",
    describe: {
      tr: "Bütün çağrıları listele; ağ gerekmez",
      en: "List all calls; makes none",
    },
  },
  param: {
    type: "string",
    many: true,
    describe: {
      tr: "Bir alan: ad=değer; liste virgülle ya da yineleyerek",
      en: "A field: name=value; a list with commas or repeated",
    },
  },
  data: {
    type: "string",
    describe: {
      tr: "Alanları JSON dosyasından oku; - standart girdi",
      en: "Read the fields from a JSON file; - is standard input",
    },
  },
  all: {
    type: "boolean",
    describe: {
      tr: "Bütün sayfaları oku; sonuç öğelerin listesidir",
      en: "Read all pages; the result is a list of elements",
    },
  },
  format: {
    type: "string",
    choices: ["json", "jsonl"],
    describe: {
      tr: "Tek JSON (varsayılan) ya da her satırda bir değer",
      en: "One JSON value (default), or one value on each line",
    },
  },
  select: {
    type: "string",
    describe: {
      tr: "Yanıttan seç: .total, .result[].id ya da JSONPath",
      en: "Pick from the answer: .total, .result[].id or JSONPath",
    },
  },
  yes: {
    type: "boolean",
    describe: {
      tr: "Değiştiren bir çağrıyı sormadan gönder",
      en: "Send a call that changes something without asking",
    },
  },
  log: {
    type: "boolean",
    describe: {
      tr: "Elle gönderilmiş çağrıları göster",
      en: "Show the calls that were sent by hand",
    },
  },
  limit: {
    type: "number",
    describe: {
      tr: `--log için: en yeni kaç çağrı (${LOGGED_CALLS})`,
      en: `For --log: how many calls, newest first (${LOGGED_CALLS})`,
    },
  },
  settle: {
    type: "number",
    describe: {
      tr: "Sonucu bilinmeyen çağrının numarası; --as ile",
      en: "Number of a call of unknown outcome; with --as",
    },
  },
  as: {
    type: "string",
    choices: ["done", "absent"],
    describe: {
      tr: "--settle için: yapılmış (done), yapılmamış (absent)",
      en: "For --settle: it was carried out (done), or not (absent)",
    },
  },
  wait: SHARED_FLAGS.wait,
  "requests-per-hour": SHARED_FLAGS.store["requests-per-hour"],
};

/** `catalog api NAME`: makes one call by the name that the contract gives it. */
export const createApiCommand = (parts: ApiParts): Command => ({
  name: "api",
  positionals: [
    {
      name: "call",
      word: { tr: "çağrı", en: "call" },
      required: false,
      words: CALL_NAMES,
      describe: {
        tr: "Çağrının adı: order.accept; order.accept-return de olur",
        en: "Name of the call: order.accept; order.accept-return too",
      },
    },
  ],
  describe: {
    tr: "Pazaryerinin API'sinde tek bir çağrı yapar",
    en: "Makes a single call of the marketplace's API",
  },
  flags: FLAGS,
  examples: [
    "api --list",
    'api product.list --param status=passive --select ".result[].product_code"',
    "api question.list --param unanswered=1 --all --format jsonl",
    "api order.accept --help",
    "api order.accept --param package_id=P-1001",
    "api --log",
  ],
  moreHelp: async (words, view) => (await import("./describe-call.ts")).describeWords(words, view),
  run: async (context, flags) => (await import("./run.ts")).runApiCommand(context, flags, parts),
});
