/**
 * Headers of a second price that buyers may pay: sale, campaign or retail price. Beside such a
 * column the other price is the one without the sale, or for dealers.
 */

import { headerKey } from "../header-key.ts";
import type { FieldTarget } from "./field.ts";

const PRICE = /fiyat|fyt|price|^psf$/u;

const ON_SALE =
  /indirim|kampanya|promo|special|(?<!whole)sale|discount|campaign|offer|deal(?!er)|sepet|firsat|flash|outlet|clearance|reduced|markdown/u;

const IN_RETAIL = /perakende|retail|^psf$/u;

/** Headers that mention a sale but hold no price, or a price that no buyer pays. */
const OTHER_THINGS =
  /tarih|date|basla|bitis|start|until|from|expir|end$|(?:price|fiyati?|fyt)to$|validto|oran|rate|percent|yuzde|%|tur[iu]$|tipi?$|type|currency|parabirim|doviz|adet|limit|^min|^ma[kx]|minimum|maksimum|maximum|(?<!kampany)alis|satinalma|tedarik|maliyet|purchase|buying|supplier|cost|toptan|bayi|wholesale|dealer|recommended|tavsiye|piyasa|eski|kodu?$|aciklama|label|url|link|komisyon/u;

/** The target of such a column if a person confirms it; `undefined` for all other headers. */
export function findPriceRival(header: string): FieldTarget | undefined {
  const key = headerKey(header);
  if (!PRICE.test(key) || OTHER_THINGS.test(key)) return undefined;
  if (ON_SALE.test(key)) return { kind: "field", field: "discount_value", discountType: 3 };
  return IN_RETAIL.test(key) ? { kind: "field", field: "price" } : undefined;
}
