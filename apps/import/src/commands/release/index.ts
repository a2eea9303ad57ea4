import { type Flags, UsageError, SHARED_FLAGS } from "@catalog/console";

import type { Command } from "../../context.ts";
import { PACE_FLAGS, PRICE_UNIT_FLAG, RUN_POSITIONAL, YES_FLAG } from "../../flags.ts";

/** `catalog release RUN`: decides on held rows. */
export const releaseCommand: Command = {
  name: "release",
  isPatient: true,
  positionals: [{ ...RUN_POSITIONAL, required: false }],
  describe: {
    tr: "Bekletilen satırları gösterir ve karara bağlar",
    en: "Shows the held rows and decides on them",
  },
  flags: {
    waiting: {
      type: "boolean",
      describe: {
        tr: "Mağazada karar bekleyen bütün satırları listele, hangi çalıştırmada olursa olsun",
        en: "List every row of the store that waits for a decision, whichever run holds it",
      },
    },
    rows: { type: "string", describe: { tr: "Satırlar: 3,7-9", en: "Rows: 3,7-9" } },
    "as-done": {
      type: "string",
      mayBeEmpty: true,
      describe: {
        tr: "Satır mağazadaki bu ürün (ID) ile tamamlandı; yanıt ve siparişlerde kimliksiz: yapılmış",
        en: "The row is done: it is this product (its id); without an id for answers and orders",
      },
    },
    resend: {
      type: "boolean",
      describe: {
        tr: "Satırları gönder; yeni bir ürün, mağaza şimdi de göstermiyorsa gider",
        en: "Send them; a new product only if the store still does not show it",
      },
    },
    "resend-blind": {
      type: "boolean",
      describe: {
        tr: "Mağaza eklenen ürünleri göstermese de gönder; ürün iki kez eklenebilir",
        en: "Send them even if the store hides new products; they may be added twice",
      },
    },
    cancel: {
      type: "boolean",
      describe: { tr: "Satırlardan vazgeç", en: "Give up on these rows" },
    },
    "cancel-rest": {
      type: "boolean",
      describe: {
        tr: "Yarım kalan çalıştırmanın gönderilmemiş satırlarından vazgeç ve onu bitir",
        en: "Give up the rows of an interrupted run that were not sent, and end it",
      },
    },
    approved: {
      type: "string",
      describe: {
        tr: "Bu dosyada (held.xlsx) Onay sütununa Evet yazılan satırları gönder, Hayır yazılanları kapat",
        en: "Send the rows marked Yes in this file (held.xlsx), and close those marked No",
      },
    },
    encoding: {
      ...SHARED_FLAGS.reading.encoding,
      describe: {
        tr: `--approved için: ${SHARED_FLAGS.reading.encoding.describe.tr}`,
        en: `For --approved: ${SHARED_FLAGS.reading.encoding.describe.en}`,
      },
    },
    reason: {
      type: "string",
      describe: { tr: "Gerekçe; kayda geçer", en: "Reason, stored with the rows" },
    },
    ...PRICE_UNIT_FLAG,
    ...YES_FLAG,
    ...PACE_FLAGS,
  },
  examples: [
    "release --waiting",
    "release r-261121-0930-4f2a",
    "release r-261121-0930-4f2a --rows 7 --as-done 83412",
    "release r-261121-0930-4f2a --rows 3,7-9 --resend --yes",
    "release r-261121-0930-4f2a --approved held.xlsx --yes",
    "release r-261121-0930-4f2a --cancel-rest",
  ],
  run: async (context, flags) => {
    if (flags["waiting"] === true) {
      refuseDecisions(flags);
      return await (await import("./run.ts")).runWaiting(context);
    }
    if (flags["run"] === undefined) throw noRun();
    return flags["cancel-rest"] === true
      ? await (await import("./decide.ts")).runCancelRest(context, flags)
      : await (await import("./run.ts")).runReleaseCommand(context, flags);
  },
};

/** Flags that name rows of one run, or decide on them. */
const DECISIONS = [
  "run",
  "rows",
  "as-done",
  "resend",
  "resend-blind",
  "cancel",
  "cancel-rest",
  "approved",
];

/** A list changes nothing, so a decision beside it is a mistake. */
function refuseDecisions(flags: Flags): void {
  if (DECISIONS.every((name) => flags[name] === undefined)) return;
  throw new UsageError({
    tr: "--waiting yalnızca listeler; karar vermek için çalıştırmayı yazın: catalog release ÇALIŞTIRMA …",
    en: "--waiting only lists; to decide, name the run: catalog release RUN …",
  });
}

const noRun = (): UsageError =>
  new UsageError({
    tr: "Hangi çalıştırma? Bekleyen bütün satırlar için: catalog release --waiting",
    en: "Which run? For every row that waits: catalog release --waiting",
  });
