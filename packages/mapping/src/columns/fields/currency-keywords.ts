import { VALUE_KEYWORDS } from "../../values/keywords.ts";
import { headerKey, headerTokens } from "../header-key.ts";

/** A currency that the marketplace takes, or `other`. */
export type NamedCurrency = "TL" | "USD" | "EUR" | "other";

/** Spellings of other programs, in addition to the keywords that cells may hold. */
const ALSO: Readonly<Record<NamedCurrency, readonly string[]>> = {
  TL: ["YTL", "TRL", "TL ₺", "₺ TL", "Turkish Lira"],
  USD: ["US Dollar", "ABD Doları", "Amerikan Doları", "USD $", "$ USD", "Dollars"],
  EUR: ["EUR €", "€ EUR", "Euros"],
  other:
    "GBP £ Sterlin Pound CHF JPY ¥ RUB ₽ CNY AZN SAR AED KWD QAR BGN RON SEK NOK DKK CAD AUD PLN".split(
      " ",
    ),
};

const CURRENCIES: ReadonlyMap<string, NamedCurrency> = new Map<string, NamedCurrency>([
  ...VALUE_KEYWORDS.currency.flatMap(({ value, tr, en, also }) =>
    [tr, en, ...also].map((text) => [headerKey(text), value] as const),
  ),
  ...(["TL", "USD", "EUR", "other"] as const).flatMap((currency) =>
    ALSO[currency].map((text) => [headerKey(text), currency] as const),
  ),
]);

/** The currency that a text consists of; `undefined` for any other text. */
export function findCurrency(text: string): NamedCurrency | undefined {
  return CURRENCIES.get(headerKey(text));
}

/** The currency that a header mentions among other words; `undefined` where there is none. */
export function findCurrencyInHeader(header: string): NamedCurrency | undefined {
  for (const token of headerTokens(header)) {
    const currency = findCurrency(token);
    if (currency !== undefined) return currency;
  }
  return undefined;
}
