/** Flags of the commands that do something to each row of a list. */

import { SHARED_FLAGS } from "@catalog/console";

import {
  CANARY_FLAG,
  FILE_FLAGS,
  FILES_FLAG,
  type FlagTable,
  groupSending,
  LIMIT_FLAGS,
  PACE_FLAGS,
  PLAN_FLAG,
  QUEUE_FLAG,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "./flags.ts";

const { sheet, encoding, delimiter } = SHARED_FLAGS.reading;
const { report } = FILE_FLAGS;

/** What the user accepts in so many words. */
const ALLOW_FLAG: FlagTable = {
  allow: {
    type: "string",
    words: ["same-answer"],
    describe: {
      tr: "Bu kez izin verilen: same-answer (hepsine aynı yanıt)",
      en: "Allowed this time: same-answer (one answer for all)",
    },
  },
};

const LOST_FLAG: FlagTable = {
  "on-unknown": {
    ...UNKNOWN_FLAG["on-unknown"],
    type: "string",
    describe: {
      tr: "Yanıtı gelmeyen işlem: beklet (hold) ya da bir kez daha gönder",
      en: "A lost answer: hold its row (default), or send it once more",
    },
  },
};

/** How the list is read, whether it is only planned, and how it is sent. */
export const ACTION_FLAGS: FlagTable = {
  sheet,
  "header-row": SHARED_FLAGS.reading["header-row"],
  encoding,
  delimiter,
  ...(report === undefined ? {} : { report }),
  ...groupSending({
    ...LIMIT_FLAGS,
    ...CANARY_FLAG,
    ...LOST_FLAG,
    ...VERIFY_FLAG,
    ...PLAN_FLAG,
    ...YES_FLAG,
    ...QUEUE_FLAG,
    ...FILES_FLAG,
    ...PACE_FLAGS,
  }),
};

export const ANSWER_FLAGS: FlagTable = { ...ACTION_FLAGS, ...ALLOW_FLAG };

export const ORDER_FLAGS: FlagTable = {
  package: {
    type: "string",
    describe: {
      tr: "Dosya yerine paketler: kimlikleri, virgülle",
      en: "Packages in place of a file: their ids, with commas",
    },
  },
  reason: {
    type: "string",
    describe: {
      tr: "Gerekçesi boş satırların gerekçesi",
      en: "Reason of rows that give none",
    },
  },
  company: {
    type: "string",
    describe: {
      tr: "Kodu olmayan bütün paketlerin kargo firması (adı ya da kimliği)",
      en: "Shipping company of all packages without a code (name or id)",
    },
  },
  ...ACTION_FLAGS,
};
