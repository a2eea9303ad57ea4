/**
 * Reads the stored rows of a file: their cells, their images, and the issues that block them.
 */

import {
  type ColumnMapping,
  type createCodeSuspects,
  createSheetReader,
  type MappedRow,
  type RowMapper,
  type SheetReader,
  type SourceRow,
} from "@catalog/mapping";
import type { createRefusalCheck } from "@catalog/report";
import {
  type CandidateRow,
  type RowIssue,
  toGarbledIssue,
  type CandidateReader,
} from "@catalog/runs";

import type { RowFileCheck } from "../file/describe-file.ts";
import { toMappingRow } from "../file/product-rows.ts";
import type { ResolvedRow, RowImages } from "../images/open-images.ts";
import type { RowPricer } from "../pricing/row-pricing.ts";
import type { EditedBasis, ReadBasis, RowBasis } from "./plan-options.ts";
import { createFindGarbled, type FindGarbled, type TextNotes } from "./text-notes.ts";

interface RowReaderOptions extends RowChecks {
  /** Mapper that has the lists that the names of the rows need. */
  readonly mapper: RowMapper;
  readonly pricer: Pick<RowPricer, "price">;
  readonly sheet: string;
  readonly mapping: ColumnMapping;
  readonly images: Pick<RowImages, "resolve">;
  /** Collects texts that are noteworthy. */
  readonly texts: Pick<TextNotes, "note">;
  /** @default codes that look alike are accepted */
  readonly suspects: ReturnType<typeof createCodeSuspects> | undefined;
  /** @default the rows were made of no products */
  readonly readBasis?: ReadBasis | undefined;
}

/** Reads the product ids of rows, which needs no list of names. */
export function toIdReader({
  readProductId,
}: Pick<RowMapper, "readProductId">): Pick<CandidateReader, "readProductId"> {
  return { readProductId: readProductId && ((stored) => readProductId(toMappingRow(stored))) };
}

/** Creates the reader of one sheet's rows. */
export function createRowReader(options: RowReaderOptions): CandidateReader {
  const { mapper, pricer, sheet, mapping, images, texts, suspects } = options;
  const findGarbled = createFindGarbled();
  const { codes } = createSheetReader(mapping, sheet);
  // Files of other programs have all of a product, so that an empty cell says that there is none.
  const endsSales = mapping.platform !== undefined;
  const parts = { mapper, codes, suspects, findGarbled, endsSales };
  const judge = createRowChecks(options);
  const check = (row: SourceRow, mapped: MappedRow, resolved: ResolvedRow): CandidateRow => {
    const candidate = toCandidate(parts, resolved.mapped, resolved.imageIssues);
    const judged = judge(row, candidate);
    if (judged.isSound) mapper.prices.note(row, mapped);
    return pricer.price(judged.candidate, row, resolved.mapped);
  };
  const toBasis = createToBasis(mapping);
  return {
    ...toIdReader(mapper),
    async toCandidates(rows) {
      const candidates: CandidateRow[] = [];
      const basis = await options.readBasis?.(rows.map(({ row }) => row));
      for (const stored of rows) {
        const row = toMappingRow(stored);
        const mapped = mapper.map(row);
        texts.note(mapped);
        const resolving = images.resolve(mapped);
        const resolved = resolving instanceof Promise ? await resolving : resolving;
        const candidate = check(row, mapped, resolved);
        const made = basis?.get(stored.row);
        candidates.push(made === undefined ? candidate : { ...candidate, basis: toBasis(made) });
      }
      return candidates;
    },
    toDraft(row) {
      const mappable = toMappingRow(row);
      const mapped = mapper.map(mappable);
      const { candidate, isSound } = judge(mappable, toCandidate(parts, mapped));
      const draft = pricer.price(candidate, mappable, mapped);
      return isSound ? draft : { ...draft, changes: {} };
    },
  };
}

/** Texts that are cleaned while they are read. */
const CLEANED: ReadonlySet<string> = new Set(["title", "sub_title", "description"]);

/** Creates the function that names the texts of a row that nobody has edited. */
function createToBasis({ columns }: ColumnMapping): (basis: EditedBasis) => RowBasis {
  const texts = columns.flatMap(({ index, target }) =>
    target.kind === "field" && CLEANED.has(target.field) ? [{ index, field: target.field }] : [],
  );
  return ({ edited, ...basis }) => {
    if (edited === undefined) return basis;
    const untouched = texts.filter(({ index }) => !edited.has(index)).map(({ field }) => field);
    return { ...basis, untouched };
  };
}

interface RowChecks {
  readonly checkReading: RowFileCheck;
  readonly checkRefusal: ReturnType<typeof createRefusalCheck>;
}

interface CheckedRow {
  readonly candidate: CandidateRow;
  /** The check found no issue. */
  readonly isSound: boolean;
}

/** Creates the check of a row whose cells are mapped. */
export function createRowChecks({
  checkReading,
  checkRefusal,
}: RowChecks): (row: SourceRow, candidate: CandidateRow) => CheckedRow {
  return (row, candidate) => {
    const read = withIssues(candidate, checkReading(row));
    const { refused, held: heldBefore } = checkRefusal(row, read);
    const judged = withIssues(read, refused);
    return {
      candidate: heldBefore.length === 0 ? judged : { ...judged, heldBefore },
      isSound: judged === candidate,
    };
  };
}

const withIssues = (row: CandidateRow, issues: readonly RowIssue[]): CandidateRow =>
  issues.length === 0 ? row : { ...row, issues: [...issues, ...row.issues] };

interface RowTools {
  readonly mapper: RowMapper;
  readonly codes: SheetReader["codes"];
  /**
   * Whether a row without a reduced price ends the discount that we gave.
   *
   * @default it is left as it is
   */
  readonly endsSales?: boolean | undefined;
  /** @default codes that look alike are accepted */
  readonly suspects?: Pick<ReturnType<typeof createCodeSuspects>, "judge" | "judgeAdd"> | undefined;
  /** @default texts may have garbled letters */
  readonly findGarbled?: FindGarbled | undefined;
}

/** Converts a mapped row to the planner's candidate. */
export function toCandidate(
  tools: RowTools,
  mapped: MappedRow,
  imageIssues: readonly RowIssue[] = [],
): CandidateRow {
  const { mapper, codes, suspects } = tools;
  const codeLocation = codes.location(mapped.row, mapped.code ?? "");
  const { code, isNumberCode: isNumber } = mapped;
  const suspect =
    code === undefined ? undefined : suspects?.judge({ code, isNumber }, codeLocation);
  return {
    row: mapped.row,
    code: mapped.code ?? null,
    codeKey: mapped.codeKey ?? null,
    productId: mapped.productId ?? null,
    action: mapped.action,
    changes: mapped.changes,
    keepsImages: mapped.keepsImages,
    endsOwnSale: tools.endsSales === true && mapped.leavesSale,
    categoryName: mapped.names.category,
    issues: [
      ...(suspect === undefined ? [] : [suspect]),
      ...mapped.issues,
      ...imageIssues,
      ...mapped.warnings,
    ],
    completeAdd: () => mapper.completeAdd(mapped),
    codeLocation,
    textDoubts: doubtTexts(tools, mapped, codeLocation),
    holdsAdd: code === undefined ? undefined : suspects?.judgeAdd(code, codeLocation),
    locationOf: (field) => mapped.locationOf(field) ?? codeLocation,
  };
}

const TEXT_FIELDS = ["title", "sub_title", "description"] as const;

function doubtTexts(
  { findGarbled }: RowTools,
  mapped: MappedRow,
  codeLocation: CandidateRow["codeLocation"],
): readonly NonNullable<CandidateRow["textDoubts"]>[number][] {
  if (findGarbled === undefined) return [];
  return TEXT_FIELDS.flatMap((field) => {
    const text = mapped.changes[field];
    const kind = field === "description" ? undefined : "title";
    const found = text === undefined ? undefined : findGarbled(text, kind);
    if (text === undefined || found === undefined) return [];
    const location = mapped.locationOf(field) ?? codeLocation;
    return [{ field, issue: toGarbledIssue({ text, ...found }, location) }];
  });
}
