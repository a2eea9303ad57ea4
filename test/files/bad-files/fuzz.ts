/**
 * Changes good files at random and reads them: each must end as rows or as a refusal with a code,
 * within its time limit and with the reading process ended. The same seed makes the same file.
 *
 *     node test/files/bad-files/fuzz.ts --seeds 1000 --first 0
 *
 * prints the number of files by outcome, or one document with `--json`.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { workbookParts, textCell } from "./make-workbook.ts";
import { changeParts, makeZip } from "./make-zip.ts";
import { childProcesses, outcomeOf, readBytes } from "./read-file.ts";

export interface FuzzResult {
  readonly seed: number;
  readonly kind: string;
  /** `ok` or a code; anything else is a bug. */
  readonly outcome: string;
  readonly ms: number;
}

/** Numbers from 0 up to 1, the same sequence for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = ReturnType<typeof createRandom>;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const pick = <Item>(random: Random, items: readonly [Item, ...Item[]]): Item =>
  items[below(random, items.length)] ?? items[0];

const ROWS = Array.from({ length: 30 }, (_, index) => {
  const row = index + 1;
  const number = `<c r="C${row}" s="1"><v>${45_000 + row}.5</v></c>`;
  const formula = `<c r="D${row}"><f>C${row}*2</f><v>${row}</v></c>`;
  return `<row r="${row}">${textCell(`A${row}`, `Kaşık &amp; ${row}`)}<c r="B${row}" t="s"><v>${row % 3}</v></c>${number}${formula}</row>`;
}).join("");

const PARTS = workbookParts({
  sheets: [
    { name: "Ürünler", rows: ROWS, after: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>' },
  ],
  strings: "<si><t>Çatal</t></si><si><r><t>ığ</t></r><r><t>şü</t></r></si><si><t>Tabak</t></si>",
  styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
});

const CSV = Buffer.from(
  Array.from(
    { length: 60 },
    (_, row) => `"KOD-${row}";Kaşık ${row};"çok\nsatırlı; ""iyi""";12,50\r\n`,
  ).join(""),
);

/** Flips, cuts, repeats and inserts bytes several times. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  const times = 1 + below(random, 6);
  for (let step = 0; step < times; step += 1) changed = mutateOnce(changed, random);
  return changed;
}

const EDGES = [0, 0xff, 0x22, 0x3b, 0x3c, 0x3e, 0x26, 0x0d, 0x80] as const;

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const at = below(random, bytes.length);
  const length = Math.min(1 + below(random, 64), bytes.length - at);
  switch (below(random, 6)) {
    case 0:
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(random, 8)), at);
      return bytes;
    case 1:
      bytes.writeUInt8(pick(random, EDGES), at);
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(Array.from({ length }, () => below(random, 256))),
        bytes.subarray(at),
      ]);
    default:
      return below(random, 8) === 0 ? bytes.subarray(0, at) : bytes;
  }
}

/** A file with changes in the bytes of the zip, in its XML, or in the text of a CSV file. */
function makeFile(random: Random): {
  readonly kind: string;
  readonly name: string;
  readonly bytes: Buffer;
} {
  const kind = pick(random, ["zip", "xml", "xml", "csv"] as const);
  if (kind === "csv") return { kind, name: "urunler.csv", bytes: mutate(CSV, random) };
  if (kind === "zip") return { kind, name: "urunler.xlsx", bytes: mutate(makeZip(PARTS), random) };
  const chosen = below(random, PARTS.length);
  const parts = changeParts(PARTS, (part) =>
    part === PARTS[chosen] ? { content: mutate(Buffer.from(part.content), random) } : undefined,
  );
  return { kind, name: "urunler.xlsx", bytes: makeZip(parts) };
}

/** Reads the file of one seed. */
export async function fuzzOnce(seed: number): Promise<FuzzResult> {
  const { kind, name, bytes } = makeFile(createRandom(seed));
  const started = performance.now();
  const outcome = await outcomeOf(readBytes(name, bytes)).catch(
    (error: unknown) => `BUG: ${String(error)}`,
  );
  return { seed, kind, outcome, ms: Math.round(performance.now() - started) };
}

/** The fault of a result; `undefined` without one. */
export function problemOf({ outcome, ms }: FuzzResult): string | undefined {
  if (!/^(?:ok|E_[A-Z_]+)$/.test(outcome)) return outcome;
  // An unexpected failure of the reading process has this code.
  if (outcome === "E_FILE_UNREADABLE") return "the reading process failed by itself";
  if (ms > 30_000) return `took ${ms} ms`;
  return childProcesses() > 0 ? "a process is left" : undefined;
}

const MB = 1024 * 1024;
/** Maximum memory of the process that reads, in megabytes. */
const MAX_MB = 512;
const AT_A_TIME = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1000" },
      first: { type: "string", default: "0" },
      json: { type: "boolean", default: false },
    },
  });
  const first = Number(values.first);
  const last = first + Number(values.seeds);
  const outcomes = new Map<string, number>();
  let wrong = 0;
  let next = first;
  const work = async (): Promise<void> => {
    while (next < last) {
      const result = await fuzzOnce(next++);
      outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1);
      // Another file may be in the reading process at the same time.
      const problem = problemOf(result);
      if (problem === undefined || problem === "a process is left") continue;
      wrong += 1;
      console.error(`seed ${result.seed} (${result.kind}): ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const peakMb = Math.round((process.resourceUsage().maxRSS * 1024) / MB);
  const left = childProcesses();
  const sorted = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b));
  const played = { files: last - first, wrong, left, peakMb, outcomes: Object.fromEntries(sorted) };
  console.log(values.json ? JSON.stringify(played) : describePlayed(played));
  process.exitCode = wrong + left > 0 || peakMb > MAX_MB ? 1 : 0;
}

/** Result of reading many changed files. */
export interface PlayedFuzz {
  readonly files: number;
  readonly wrong: number;
  /** Reading processes that have not ended. */
  readonly left: number;
  readonly peakMb: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

const describePlayed = ({ files, wrong, left, peakMb, outcomes }: PlayedFuzz): string =>
  [
    ...Object.entries(outcomes).map(([outcome, count]) => `${outcome.padEnd(20)} ${count}`),
    `${files} files, ${wrong} wrong, ${left} processes left, ${peakMb} MB`,
  ].join("\n");

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
