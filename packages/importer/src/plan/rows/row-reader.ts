/** Reads the stored rows of a file: their cells, their images, and the issues that block them. */

import {
  type ColumnMapping,
  type CodeSuspects,
  type MappedRow,
  type PriceSamples,
  type RowMapper,
  type SourceRow,
  createSheetReader,
} from "@catalog/mapping";
import type { CandidateRow } from "@catalog/runs";

import { toMappingRow } from "../../file/to-mapping-row.ts";
import type { ResolvedRow } from "../../images/resolve-row-images.ts";
import type { RowImages } from "../../images/row-images.ts";
import type { RowReader } from "../plan-rows.ts";
import type { TextNotes } from "../text-notes.ts";
import { createFindGarbled } from "./garbled-letters.ts";
import { createRowChecks, type RowChecks } from "./row-checks.ts";
import { toCandidate } from "./to-candidate.ts";

export interface RowReaderOptions extends RowChecks {
  /** Mapper that has the lists that the names of the rows need. */
  readonly mapper: RowMapper;
  readonly sheet: string;
  readonly mapping: ColumnMapping;
  readonly images: Pick<RowImages, "resolve">;
  /** Collects the prices of valid rows. */
  readonly prices: Pick<PriceSamples, "note">;
  /** Collects texts that are noteworthy. */
  readonly texts: Pick<TextNotes, "note">;
  /** @default codes that look alike are accepted */
  readonly suspects: CodeSuspects | undefined;
}

/** Reads the product ids of rows, which needs no list of names. */
export function toIdReader({
  readProductId,
}: Pick<RowMapper, "readProductId">): Pick<RowReader, "readProductId"> {
  return { readProductId: readProductId && ((stored) => readProductId(toMappingRow(stored))) };
}

/** Creates the reader of one sheet's rows. */
export function createRowReader(options: RowReaderOptions): RowReader {
  const { mapper, sheet, mapping, images, prices, texts, suspects } = options;
  const findGarbled = createFindGarbled();
  const { codes } = createSheetReader(mapping, sheet);
  // Files of other programs have all of a product, so that an empty cell says that there is none.
  const endsSales = mapping.platform !== undefined;
  const parts = { mapper, codes, suspects, findGarbled, endsSales };
  const judge = createRowChecks(options);
  const check = (row: SourceRow, mapped: MappedRow, resolved: ResolvedRow): CandidateRow => {
    const candidate = toCandidate(parts, resolved.mapped, resolved.imageIssues);
    const judged = judge(row, candidate);
    if (judged.isSound) prices.note(row, mapped);
    return judged.candidate;
  };
  return {
    ...toIdReader(mapper),
    async toCandidates(rows) {
      const candidates: CandidateRow[] = [];
      for (const stored of rows) {
        const row = toMappingRow(stored);
        const mapped = mapper.map(row);
        texts.note(mapped);
        const resolving = images.resolve(mapped);
        const resolved = resolving instanceof Promise ? await resolving : resolving;
        candidates.push(check(row, mapped, resolved));
      }
      return candidates;
    },
    toDraft(row) {
      const mappable = toMappingRow(row);
      const draft = toCandidate(parts, mapper.map(mappable));
      const { candidate, isSound } = judge(mappable, draft);
      return isSound ? candidate : { ...candidate, changes: {} };
    },
  };
}
