export { type FieldKey, LEAVE_OUT, FIELDS, findField, findNamedField } from "./fields/fields.ts";
export { codeKey, fold, headerKey, headerWords, trimText } from "./text-keys.ts";
export { createKnownHeaderCount } from "./columns/header-matcher.ts";
export { createRecordJudge } from "./columns/record-judge.ts";
export { type ColumnMapping } from "./columns/column-mapping.ts";
export { mapColumns } from "./columns/map-columns.ts";
export {
  findCostColumns,
  formatReadOnlyHeader,
  isOwnResultHeader,
  isReadOnlyHeader,
} from "./fields/other-headers.ts";
export { createDescriptionReader } from "./descriptions.ts";
export { createCodeSuspects, CODE_KEYS } from "./product-codes.ts";
export { ISSUE_CODES } from "./issues/codes.ts";
export {
  createMarketplaceNames,
  createNameIndexes,
  type NameIndexes,
  type NameSource,
} from "./names/name-indexes.ts";
export {
  createNameIndex,
  labelNames,
  type NameIndex,
  DEFAULT_ID_PATTERN,
} from "./names/name-index.ts";
export { pathNameKeys } from "./names/name-key.ts";
export { type ValueRules, valueRules } from "./names/value-rules.ts";
export {
  type AmountCell,
  type AmountKind,
  type AmountReader,
  createAmountReader,
  type RowAmounts,
} from "./rows/row-amounts.ts";
export { createRowMapper, type RowMapper } from "./rows/row-mapper.ts";
export {
  isClearKeyword,
  type MappedRow,
  type NamesWithin,
  type OpenName,
} from "./rows/row-work.ts";
export { columnLetter, type SourceRow } from "./source-row.ts";
export { findUnknownPlaces } from "./variants/row-joiner.ts";
export { createSheetReader, type SheetReader } from "./rows/sheet-reader.ts";
export { platforms } from "./platforms/platform-matcher.ts";
export { splitImageAddresses } from "./values/value-readers.ts";
export { parseMoney } from "./values/money.ts";
export { type NumberNotations, readNumberCell } from "./values/notation.ts";
export { createKeywordReader, VALUE_KEYWORDS } from "./values/keywords.ts";
export { findDefaultProblem } from "./columns/overrides.ts";
export { proposeFixes } from "./issues/fixes.ts";
export { resolveColumns } from "./columns/resolve-columns.ts";
export { type KnownStores } from "./columns/store-columns.ts";
export { createStoreFold, readingOf, unfoldRow } from "./rows/store-fold.ts";
export { isFilled } from "./variants/variant-columns.ts";
export { createLikelyNames, type LikelyName, type Why } from "./names/likely-names.ts";
export {
  createTitleIndex,
  type KnownProduct,
  type TitleIndex,
  type Vote,
} from "./names/title-index.ts";
