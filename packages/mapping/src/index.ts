export { type ColumnQuestion } from "./columns/column-questions.ts";
export { type FieldDefinition, type FieldKey, LEAVE_OUT, type Column } from "./fields/field.ts";
export { FIELDS, findField, findNamedField, formatHeader } from "./fields/fields.ts";
export { codeKey, fold, headerKey, headerWords, trimText } from "./text-keys.ts";
export { createKnownHeaderCount } from "./columns/header-matcher.ts";
export { type ColumnMapping, mapColumns } from "./columns/map-columns.ts";
export { formatReadOnlyHeader, isOwnResultHeader } from "./fields/other-headers.ts";
export { type CodeSuspects, createCodeSuspects, CODE_KEYS } from "./product-codes.ts";
export { ISSUE_CODES, type IssueCode } from "./issues/codes.ts";
export { type Issue } from "./issues/issue.ts";
export {
  createMarketplaceNames,
  createNameIndexes,
  labelLeaves,
  labelNames,
  labelOf,
  type NameChoice,
  type NameIndexes,
  type NameSource,
  sortLabels,
} from "./names/name-indexes.ts";
export { createNameIndex, type NameIndex, DEFAULT_ID_PATTERN } from "./names/name-index.ts";
export { findNearestName } from "./names/suggester.ts";
export {
  listRuleFields,
  readRuleField,
  ruleFieldName,
  ruleKey,
  scopeRuleField,
  splitRuleField,
  type ValueRules,
} from "./names/value-rules.ts";
export { createRowMapper, type RowMapper, type RowMapperOptions } from "./rows/row-mapper.ts";
export { createPriceSamples, type PriceSamples } from "./rows/pricing.ts";
export { type ImageCell, type MappedRow, type OpenName } from "./rows/row-work.ts";
export {
  type CellValue,
  columnLetter,
  isPlaceholder,
  PLACEHOLDER,
  type SourceRow,
} from "./source-row.ts";
export { DEFAULT_TITLE_PATTERN, findUnknownPlaces } from "./variants/row-joiner.ts";
export { isFilled } from "./variants/variant-columns.ts";
export { type RowKind, createSheetReader, type SheetReader } from "./rows/sheet-reader.ts";
export {
  findPlatform,
  NO_PLATFORM,
  PLATFORM_NAMES,
  type ReadPlatform,
} from "./platforms/platform-matcher.ts";
export { splitImageAddresses } from "./values/value-readers.ts";
export { type ColumnNotation } from "./values/numbers.ts";
export { parseMoney } from "./values/money.ts";
export { type NumberNotations, readNumberCell, type UnclearNumbers } from "./values/notation.ts";
export { VALUE_KEYWORDS } from "./values/keywords.ts";
export { findDefaultProblem } from "./columns/overrides.ts";
export { proposeFixes } from "./issues/fixes.ts";
export { toColumnWarnings } from "./columns/column-reports.ts";
export {
  type AskColumn,
  type ColumnAnswer,
  resolveColumns,
  type ResolveColumnsOptions,
  type ResolvedColumns,
} from "./columns/resolve-columns.ts";
export { type CategoryNode } from "./names/categories.ts";
