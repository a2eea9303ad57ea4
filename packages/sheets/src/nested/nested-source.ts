/** A document of XML or JSON as a source of rows, one for each record, with a column for each path. */

import { open } from "node:fs/promises";

import type { SheetRow } from "../cell.ts";
import { detectEncoding, detectStatedEncoding, readText } from "../csv/text-file.ts";
import { SheetError } from "../sheet-error.ts";
import { type JudgeRecord, readRows, type RowSource, type SourceOptions } from "../sheet-rows.ts";
import { createJsonReader } from "./json-reader.ts";
import {
  NestedFault,
  type NestedLimits,
  type NestedReader,
  type NodeHandler,
} from "./nested-reader.ts";
import {
  chooseRecord,
  createPathCollector,
  listRecords,
  markDescriptions,
  offeredRecords,
  type PathCollector,
} from "./record-paths.ts";
import { createRowCollector, layOutRecord } from "./record-rows.ts";
import { createXmlReader } from "./xml-reader.ts";

/** Kind of a nested document. */
export type NestedKind = "xml" | "json";

const READERS: Readonly<
  Record<NestedKind, (handler: NodeHandler, limits: NestedLimits) => NestedReader>
> = { xml: createXmlReader, json: createJsonReader };

/** No name is known. */
const judgeNothing: JudgeRecord = () => ({
  known: 0,
  code: -1,
  hasOffer: false,
  isVariant: false,
});

/**
 * Reads the document once, which finds its records and its columns and every mistake in it; each
 * `rows()` reads it again. Rows are numbered as the records are, and the headers have the number 0.
 */
export async function openNestedSource(
  kind: NestedKind,
  options: SourceOptions,
): Promise<RowSource> {
  const { path, file, limits, signal, judgeRecord: judge = judgeNothing, isList } = options;
  if (options.headerRow !== undefined)
    throw new SheetError("E_HEADER_ROW", { file, row: options.headerRow });
  const encoding = await findEncoding(kind, options);
  const text = { path, encoding };

  const collector = createPathCollector();
  const reader = READERS[kind](collector, limits);
  try {
    for await (const piece of readText(text, signal)) reader.write(piece);
    reader.end();
  } catch (error) {
    throw placeFault(error, { file, reader, collector, judge });
  }

  if (kind === "xml") markDescriptions(collector.root);
  const candidates = listRecords(collector.root, { judge, file });
  const records = offeredRecords(candidates).map(({ path: name, node, headers }) => ({
    name,
    rows: node.count,
    head: [headers],
  }));
  const facts = { kind, encoding, headerRow: HEADER_ROW, records, close: async () => {} };
  if (isList === true) return { ...facts, sheet: "", rows: () => readRows(noBatches()) };
  const record = chooseRecord(candidates, { file, wanted: options.sheet });
  const layout = layOutRecord(record, judge);
  if (layout.headers.length > limits.columns) {
    const { headers } = layout;
    const details = { file, path: headers[limits.columns] ?? "", limit: limits.columns };
    throw new SheetError("E_TOO_MANY_COLUMNS", details);
  }

  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    yield [{ row: HEADER_ROW, cells: layout.headers }];
    const rows = createRowCollector(layout, limits);
    const again = READERS[kind](rows, limits);
    rows.reader = again;
    try {
      for await (const piece of readText(text, signal)) {
        again.write(piece);
        yield rows.take();
      }
      again.end();
      yield rows.take();
    } catch (error) {
      if (!(error instanceof NestedFault)) throw error;
      const place = { path: record.path, record: rows.record, line: again.line };
      throw new SheetError(error.code, { file, ...place, ...error.details });
    }
  }
  return { ...facts, sheet: record.path, batches, rows: () => readRows(batches()) };
}

/** Not a record, so that records are numbered from 1. */
const HEADER_ROW = 0;

async function* noBatches(): AsyncGenerator<Iterable<SheetRow>> {}

const HEAD_BYTES = 1024;
const STATED = /^[^<]*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u;

async function findEncoding(
  kind: NestedKind,
  { path, file, encoding: wanted, signal }: SourceOptions,
): Promise<string> {
  const question = { file, ...(signal !== undefined && { signal }) };
  if (wanted !== undefined) return await detectEncoding(path, { ...question, wanted });
  const stated = kind === "xml" ? await readStated(path) : undefined;
  if (stated === undefined) return await detectEncoding(path, question);
  return await detectStatedEncoding(path, { ...question, stated });
}

/** The encoding that an XML document states; every encoding that it may have is ASCII there. */
async function readStated(path: string): Promise<string | undefined> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES);
  const head = buffer.toString("latin1", 0, bytesRead).replaceAll("\0", "");
  return STATED.exec(head)?.[1];
}

interface FaultPlace {
  readonly file: string;
  readonly reader: NestedReader;
  readonly collector: PathCollector;
  readonly judge: JudgeRecord;
}

/** Adds the record, its code, the path and the line to a fault; any other error stays as it is. */
function placeFault(error: unknown, { file, reader, collector, judge }: FaultPlace): unknown {
  if (!(error instanceof NestedFault)) return error;
  const { path, record, seen, recordPath } = collector.place();
  const index = judge(
    recordPath,
    seen.map(([name]) => name),
  ).code;
  const code = seen[index]?.[1];
  return new SheetError(
    error.code,
    {
      file,
      path,
      line: reader.line,
      ...(record !== undefined && { record }),
      ...(code !== undefined && { code: String(code) }),
      ...error.details,
    },
    { cause: error },
  );
}
