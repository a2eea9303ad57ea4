/**
 * Which nodes a document has, how often, and which of them is the record: the node that becomes a row.
 * A document is read once for this, so that all columns are known before the first row.
 */

import type { CellValue } from "../cell.ts";
import { SheetError } from "../sheet-error.ts";
import type { JudgeRecord, RecordSigns } from "../sheet-rows.ts";
import { JSON_ROOT } from "./json-reader.ts";
import { NestedFault, type NodeHandler } from "./nested-reader.ts";

/** All nodes with one path. */
export interface PathNode {
  readonly name: string;
  readonly parent: PathNode | undefined;
  readonly depth: number;
  readonly children: Map<string, PathNode>;
  /** Number of such nodes in the document. */
  count: number;
  /** Maximum number of such nodes in one parent. */
  maxRepeats: number;
  hasValue: boolean;
  /** Whether one of them has text beside its elements, so that all are read as markup. */
  isMixed: boolean;
  /** The value of a node that the document has once; left out for a long one. */
  onlyValue: CellValue;
  /** The parent in which `repeats` counts. */
  parentNumber: number;
  repeats: number;
}

/** A record to choose from. */
export interface RecordCandidate {
  readonly node: PathNode;
  readonly path: string;
  readonly headers: readonly string[];
  readonly signs: RecordSigns;
}

/** Programs write a few hundred; a document with so many has data in its names. */
const MAX_PATHS = 5_000;

const createNode = (name: string, parent: PathNode | undefined): PathNode => ({
  name,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  children: new Map(),
  count: 0,
  maxRepeats: 0,
  hasValue: false,
  isMixed: false,
  onlyValue: null,
  parentNumber: -1,
  repeats: 0,
});

/** An open node. */
interface OpenNode {
  readonly node: PathNode;
  readonly number: number;
  /** The first values of the node, by which a message names it. */
  readonly seen: (readonly [name: string, value: CellValue])[];
}

/** A place in a document, for messages. */
export interface RecordPlace {
  readonly path: string;
  /** Number of the innermost node that repeats; `undefined` outside of any. */
  readonly record: number | undefined;
  readonly seen: readonly (readonly [name: string, value: CellValue])[];
  readonly recordPath: readonly string[];
}

export interface PathCollector extends NodeHandler {
  /** Its children are the roots of the document. */
  readonly root: PathNode;
  place(): RecordPlace;
}

/** Values that a message may need to name a record. */
const MAX_SEEN = 12;
const MAX_SEEN_CHARS = 80;

export function createPathCollector(): PathCollector {
  const root = createNode("", undefined);
  const open: OpenNode[] = [{ node: root, number: 0, seen: [] }];
  let numbers = 0;
  let paths = 0;

  const addChild = (parent: PathNode, name: string): PathNode => {
    paths += 1;
    if (paths > MAX_PATHS)
      throw new NestedFault("E_RECORD_LIMIT", { bound: "paths", limit: MAX_PATHS });
    const child = createNode(name, parent);
    parent.children.set(name, child);
    return child;
  };

  return {
    root,
    open(name) {
      const parent = open[open.length - 1] ?? { node: root, number: 0 };
      const node = parent.node.children.get(name) ?? addChild(parent.node, name);
      node.count += 1;
      node.repeats = node.parentNumber === parent.number ? node.repeats + 1 : 1;
      node.parentNumber = parent.number;
      if (node.repeats > node.maxRepeats) node.maxRepeats = node.repeats;
      numbers += 1;
      open.push({ node, number: numbers, seen: [] });
      return false;
    },
    value(value) {
      const own = open[open.length - 1];
      if (own === undefined) return;
      own.node.hasValue = true;
      const isShort = typeof value !== "string" || value.length <= MAX_SEEN_CHARS;
      own.node.onlyValue = own.node.count === 1 && isShort ? value : null;
      const parent = open[open.length - 2];
      if (parent !== undefined && isShort && parent.seen.length < MAX_SEEN) {
        parent.seen.push([own.node.name, value]);
      }
    },
    close(isMixed) {
      const closed = open.pop();
      if (closed === undefined) return;
      if (isMixed) closed.node.isMixed = true;
    },
    place() {
      const inner = open.findLast(({ node }) => node.count > 1 && node.children.size > 0);
      return {
        path: pathText(open.at(-1)?.node ?? root),
        record: inner?.node.count,
        seen: inner?.seen ?? [],
        recordPath: inner === undefined ? [] : pathNames(inner.node),
      };
    },
  };
}

/** What programs call a text that may have markup, such as `Aciklama` and `LongDescription`. */
const DESCRIPTION = /a[cç][iı]klama|desc|detay|detail|i[cç]erik|content|html|body/iu;

const HTML: ReadonlySet<string> = new Set(
  (
    "p br hr div span b strong i em u s small sub sup font center a img ul ol li dl dt dd " +
    "h1 h2 h3 h4 h5 h6 table caption colgroup col thead tbody tfoot tr th td blockquote pre section article"
  ).split(" "),
);

/** Makes descriptions that have nothing but elements of HTML markup, as those with text beside them. */
export function markDescriptions(node: PathNode): void {
  const isText = DESCRIPTION.test(node.name) && node.maxRepeats === 1;
  if (isText && hasElements(node) && isHtml(node)) node.isMixed = true;
  else for (const child of node.children.values()) markDescriptions(child);
}

const isAttribute = ({ name }: PathNode): boolean => name.startsWith("@");

const hasElements = ({ children }: PathNode): boolean =>
  [...children.values()].some((child) => !isAttribute(child));

/** Whether all elements below are those of HTML. */
const isHtml = ({ children }: PathNode): boolean =>
  [...children.values()].every(
    (child) => isAttribute(child) || (HTML.has(child.name.toLowerCase()) && isHtml(child)),
  );

/** The names from the root of the document down to the node. */
export function pathNames(node: PathNode): readonly string[] {
  const names: string[] = [];
  for (let at: PathNode | undefined = node; at?.parent !== undefined; at = at.parent) {
    names.unshift(at.name);
  }
  return names;
}

/** A path as people write it: `Products/Product`, `data.items`, or `.` for a whole document. */
export function pathText(node: PathNode): string {
  const names = pathNames(node);
  const [first, ...rest] = names;
  if (first !== JSON_ROOT) return names.join("/");
  return rest.length === 0 ? JSON_ROOT : rest.join(".");
}

/** Whether the nodes become a column: they have a value, or are always empty. */
export const isValueNode = (node: PathNode): boolean =>
  node.isMixed || node.hasValue || node.children.size === 0;

const isStructured = (node: PathNode): boolean =>
  !node.isMixed && [...node.children.values()].some((child) => isValueNode(child));

/** Names of the values that a node has directly. */
export const directHeaders = (node: PathNode): readonly string[] =>
  [...node.children.values()].filter((child) => isValueNode(child)).map(({ name }) => name);

function* structuredBelow(node: PathNode): Generator<PathNode> {
  for (const child of node.children.values()) {
    if (isStructured(child)) yield child;
    yield* structuredBelow(child);
  }
}

/** Maximum number of records that a person is offered. */
const MAX_OFFERED = 12;
const SAMPLE_HEADERS = 8;

/**
 * All nodes with values of their own, in the order of the document. Throws `E_RECORD_CONTENT` for
 * text beside products or the nodes around them, which has no column; elsewhere it makes its node
 * markup, as that of a description.
 */
export function listRecords(
  root: PathNode,
  { judge, file }: { readonly judge: JudgeRecord; readonly file: string },
): readonly RecordCandidate[] {
  return [...structuredBelow(root)].flatMap((node) => {
    const headers = directHeaders(node);
    const signs = judge(pathNames(node), headers);
    const mixed = findMixed(node);
    if (mixed === undefined) return [{ node, path: pathText(node), headers, signs }];
    if (signs.code === -1) return [];
    throw new SheetError("E_RECORD_CONTENT", { file, reason: "mixed", path: pathText(mixed) });
  });
}

/** The nearest node around this one that is read as markup. */
function findMixed(node: PathNode): PathNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.isMixed) return at;
  return undefined;
}

/** Candidates that may hold products, for a person: those that repeat, if any does. */
export function offeredRecords(candidates: readonly RecordCandidate[]): readonly RecordCandidate[] {
  const repeated = candidates.filter(mayRepeat);
  const offered = repeated.length === 0 ? candidates : repeated;
  const sorted = offered.toSorted((a, b) => b.signs.known - a.signs.known);
  const best = new Set(sorted.slice(0, MAX_OFFERED));
  return offered.filter((candidate) => best.has(candidate));
}

export const isRepeated = ({ maxRepeats, count, depth }: PathNode): boolean =>
  maxRepeats > 1 || (count > 1 && depth === 1);

/** Today's products may have one variant each, and have more tomorrow. */
const mayRepeat = ({ node, signs }: RecordCandidate): boolean =>
  isRepeated(node) || (signs.isVariant && signs.code !== -1);

/** A row with fewer known names is not recognised. */
const MIN_KNOWN = 2;

/**
 * The record of a document: the named one, else the only one that can hold the products. Throws
 * `E_RECORD_UNKNOWN` or `E_RECORD_CHOICE` with what can be named, and `E_FILE_EMPTY` for a document
 * without values.
 */
export function chooseRecord(
  candidates: readonly RecordCandidate[],
  { file, wanted }: { readonly file: string; readonly wanted: string | undefined },
): RecordCandidate {
  if (candidates.length === 0) throw new SheetError("E_FILE_EMPTY", { file });
  if (wanted !== undefined) {
    const found = findNamed(candidates, wanted);
    if (found !== undefined) return found;
    throw new SheetError("E_RECORD_UNKNOWN", { file, found: wanted, ...describe(candidates) });
  }
  const known = findKnown(candidates);
  if (known !== undefined) return known;
  const repeated = candidates.filter(mayRepeat);
  // A file of one product repeats nothing; nodes in it are parts of it.
  const outermost = candidates.filter(({ node }) =>
    candidates.every((other) => !isWithin(node, other.node)),
  );
  const clear = findClear(repeated) ?? (repeated.length === 0 ? findClear(outermost) : undefined);
  if (clear !== undefined) return clear;
  throw new SheetError("E_RECORD_CHOICE", { file, ...describe(candidates) });
}

function findNamed(
  candidates: readonly RecordCandidate[],
  wanted: string,
): RecordCandidate | undefined {
  const name = wanted.trim().replace(/^\//u, "");
  const exact = candidates.find(({ path }) => path === name);
  if (exact !== undefined) return exact;
  const [loose, ...others] = candidates.filter(
    ({ path }) => path.toLowerCase() === name.toLowerCase(),
  );
  return others.length === 0 ? loose : undefined;
}

/**
 * The record of a known program, its variants where it has any; `undefined` where there are others
 * within, or beside it.
 */
function findKnown(candidates: readonly RecordCandidate[]): RecordCandidate | undefined {
  const [outer, ...more] = candidates.filter(({ signs }) => signs.isRecord === true);
  if (outer === undefined) return undefined;
  let last = outer;
  for (const candidate of more) {
    if (!isWithin(candidate.node, last.node)) return undefined;
    last = candidate;
  }
  const hasOthers = candidates.some(
    ({ node, signs: { code, hasOffer, isVariant } }) =>
      isWithin(node, last.node) && hasOffer && (isVariant || code !== -1),
  );
  return hasOthers ? undefined : last;
}

/** The only record, or the only one with a code; of variants in their products, the variants. */
function findClear(candidates: readonly RecordCandidate[]): RecordCandidate | undefined {
  const [only, ...more] = candidates;
  if (only !== undefined && more.length === 0) return only;
  const named = candidates.filter(
    ({ signs: { code, known } }) => code !== -1 && known >= MIN_KNOWN,
  );
  const withOffer = named.filter(({ signs }) => signs.hasOffer);
  const elsewhere = candidates.some(({ signs }) => signs.hasOffer && signs.code === -1);
  const chosen = withOffer.length > 0 ? withOffer : elsewhere ? [] : named;
  const [first, ...inner] = chosen;
  if (first === undefined) return undefined;
  let last = first;
  for (const candidate of inner) {
    if (!isWithin(candidate.node, last.node) || !candidate.signs.isVariant) return undefined;
    last = candidate;
  }
  // Variants without a code of their own are no products, yet have what is sent.
  const hasOpenVariants = candidates.some(
    ({ node, signs }) => signs.isVariant && signs.code === -1 && isWithin(node, last.node),
  );
  return hasOpenVariants ? undefined : last;
}

function isWithin(node: PathNode, outer: PathNode): boolean {
  for (let at: PathNode | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at === outer) return true;
  }
  return false;
}

function describe(candidates: readonly RecordCandidate[]): {
  readonly names: readonly string[];
  readonly rowCounts: readonly number[];
  readonly samples: readonly (readonly string[])[];
} {
  const offered = offeredRecords(candidates);
  return {
    names: offered.map(({ path }) => path),
    rowCounts: offered.map(({ node }) => node.count),
    samples: offered.map(({ headers }) => headers.slice(0, SAMPLE_HEADERS)),
  };
}
