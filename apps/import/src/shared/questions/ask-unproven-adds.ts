/** Asks whether to send adds that another copy of the database may have sent already. */

import type { Lang } from "@catalog/i18n";
import { RESEND_WAIT_MINUTES, type UnprovenAdds } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { tellWarning } from "../tell.ts";
import { textsFor } from "../texts.ts";

interface Texts {
  readonly why: Readonly<Record<UnprovenAdds["cause"], string>>;
  readonly risk: (rows: number) => string;
  readonly ask: (rows: number) => string;
}

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    why: {
      restored:
        "Veritabanı eski bir kopya (geri yüklenen bir yedek gibi), ya da başka bir kopyasıyla sırayla kullanılıyor: öteki kopyanın neleri gönderdiği burada yazmıyor.",
      silent: `Bu çalıştırma ${RESEND_WAIT_MINUTES} dakikadan uzun süredir hiçbir şey göndermedi; veritabanının yerine bu arada eski bir kopya konmuş olabilir.`,
    },
    risk: (rows) =>
      `Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi; mağazada görünmemeleri bir şey kanıtlamaz. Eklenecek ${rows} ürün önceden eklenmişse ikinci kez eklenir, silinemez de. Önce mağaza panelinde arayın.`,
    ask: (rows) => `${rows} ürün yine de eklensin mi? Hayır derseniz bekletilir.`,
  },
  en: {
    why: {
      restored:
        "The database is an older copy (such as a restored backup), or is used in turns with another copy of it: what the other one has sent is not written down here.",
      silent: `This run has sent nothing for more than ${RESEND_WAIT_MINUTES} minutes; an older copy of the database may have been put in its place.`,
    },
    risk: (rows) =>
      `This store has not been seen to show the products that are added to it, so not finding them proves nothing. If the products to add (${rows}) were added before, they will be there twice, and cannot be deleted. Look for them in the store's panel first.`,
    ask: (rows) => `Add them all the same (${rows})? If not, they are held.`,
  },
};

/** `undefined` where no question can be or `mayAsk`; `--yes` does not answer it, but skips it. */
export async function askUnprovenAdds(
  { terminal, lang, json }: CommandContext,
  { cause, rows }: UnprovenAdds,
  mayAsk: boolean,
): Promise<boolean | undefined> {
  const texts = TEXTS[lang];
  for (const text of [texts.why[cause], texts.risk(rows)]) tellWarning({ terminal }, text);
  return json || !mayAsk || !terminal.canAsk
    ? undefined
    : await terminal.ask(texts.ask(rows), textsFor(lang));
}
