import type {
  Currency,
  DiscountType,
  ProductCondition,
  WarrantyPeriod,
  WarrantyType,
} from "@catalog/contract";

import type { PlatformWords } from "../platforms/platform.ts";
import { createKeywordReader, type KeywordReader } from "./keyword-reader.ts";
import { type RowAction, VALUE_KEYWORDS, type ValueKeyword } from "./keywords.ts";

/** A reader for each closed list that a row can hold. */
export interface ValueReaders {
  readonly action: KeywordReader<RowAction>;
  readonly currency: KeywordReader<Currency>;
  readonly warrantyType: KeywordReader<WarrantyType>;
  readonly warrantyPeriod: KeywordReader<WarrantyPeriod>;
  readonly discountType: KeywordReader<DiscountType>;
  readonly condition: KeywordReader<ProductCondition>;
  readonly yesNo: KeywordReader<boolean>;
}

/** Adds the words of a platform for each value to its keywords. */
const withWords = <Value extends string | number>(
  keywords: readonly ValueKeyword<Value>[],
  words: Readonly<Partial<Record<Value, readonly string[]>>> | undefined,
): readonly ValueKeyword<Value>[] =>
  keywords.map((keyword) => ({
    ...keyword,
    also: [...keyword.also, ...(words?.[keyword.value] ?? [])],
  }));

/** Creates the readers of all closed lists, which know the words of a platform as well. */
export function createValueReaders(words: PlatformWords = {}): ValueReaders {
  return {
    action: createKeywordReader(VALUE_KEYWORDS.action),
    currency: createKeywordReader(VALUE_KEYWORDS.currency),
    warrantyType: createKeywordReader(VALUE_KEYWORDS.warranty_type),
    warrantyPeriod: createKeywordReader(VALUE_KEYWORDS.warranty_period),
    discountType: createKeywordReader(withWords(VALUE_KEYWORDS.discount_type, words.discountType)),
    condition: createKeywordReader(withWords(VALUE_KEYWORDS.condition, words.condition)),
    yesNo: createKeywordReader(VALUE_KEYWORDS.yes_no),
  };
}
