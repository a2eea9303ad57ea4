/**
 * Headers of a second price that buyers may really pay: on sale, in a campaign, in retail. Beside
 * one of them another column is the price that holds without it, or for dealers.
 */

import { headerKey } from "../header-key.ts";
import { type FieldTarget } from "./field.ts";

const PRICE = /fiyat|fyt|price|^psf$/u;

const ON_SALE =
  /indirim|kampanya|promo|special|(?<!whole)sale|discount|campaign|offer|deal(?!er)|sepet|firsat|flash|outlet|clearance|reduced|markdown/u;

const IN_RETAIL = /perakende|retail|^psf$/u;

/** The header speaks of the sale and is no price, or of a price that no buyer pays. */
const OTHER_THINGS =
  /tarih|date|basla|bitis|start|until|from|expir|end$|oran|rate|percent|yuzde|%|tur[iu]$|tipi?$|type|currency|parabirim|doviz|adet|limit|^min|^ma[kx]|minimum|maksimum|maximum|alis|maliyet|purchase|cost|toptan|bayi|wholesale|dealer|recommended|tavsiye|piyasa|eski|kodu?$|aciklama|label|url|link|komisyon/u;

/** What such a column is for if a person says that it counts; nothing for all other headers. */
export function findPriceRival(header: string): FieldTarget | undefined {
  const key = headerKey(header);
  if (!PRICE.test(key) || OTHER_THINGS.test(key)) return undefined;
  if (ON_SALE.test(key)) return { kind: "field", field: "discount_value", discountType: 3 };
  return IN_RETAIL.test(key) ? { kind: "field", field: "price" } : undefined;
}
