/**
 * Turns the nodes of a document into rows: one for each record, with the values of the nodes around
 * it, and one for each product without variants where the record is its variant.
 */

import type { CellValue, SheetRow } from "../cell.ts";
import type { JudgeRecord } from "../sheet-rows.ts";
import { JSON_ROOT } from "./json-reader.ts";
import {
  assertCell,
  NestedFault,
  type NestedLimits,
  type NestedReader,
  type NodeHandler,
} from "./nested-reader.ts";
import {
  directHeaders,
  isRepeated,
  isValueNode,
  type PathNode,
  pathNames,
  type RecordCandidate,
} from "./record-paths.ts";

/** How the nodes of a document become cells. */
export interface RecordLayout {
  readonly headers: readonly string[];
  readonly root: LayoutNode;
  /** Values of nodes that the document has once, by column. */
  readonly fixed: ReadonlyMap<number, CellValue>;
  /** Number of nodes around a record that repeat or have a code; the innermost is 1. */
  readonly levels: number;
  /** Whether a node of level 1 without records is a row itself. */
  readonly isParentRow: boolean;
  /** Columns of the record that such a row takes from its own columns of the same name. */
  readonly shared: readonly (readonly [column: number, from: number])[];
}

/** What becomes of a node. */
interface LayoutNode {
  readonly children: Map<string, LayoutNode>;
  /** -1 for none. */
  column: number;
  /** Level of the node around a record to which the column belongs; 0 is the record itself. */
  level: number;
  /** Whether a record, or a node around one, begins here; -1 for neither. */
  begins: number;
  isMarkup: boolean;
}

/** A node that is a column, and its header. */
interface ValueNode {
  readonly node: PathNode;
  readonly header: string;
}

/**
 * Lays the columns out: those of the nodes around the record, from the outside in, those of the
 * record, and last those of nodes that the document has once. The first begin with `../`, the last
 * with `/`.
 */
export function layOutRecord(
  { node: record, signs }: RecordCandidate,
  judge: JudgeRecord,
): RecordLayout {
  const around = ancestorsOf(record);
  const parents = listParents(around, signs, judge);
  const named = new Map<PathNode, LayoutNode>();
  const headers: string[] = [];
  const top = around.at(-1) ?? record;
  const root = layoutNode(topOf(top), named);

  const add = ({ node, header }: ValueNode, level: number): void => {
    const laid = laidOut(node, named);
    laid.column = headers.length;
    laid.level = level;
    laid.isMarkup = node.isMixed;
    headers.push(header);
  };
  for (const [index, parent] of [...parents.entries()].toReversed()) {
    laidOut(parent, named).begins = index + 1;
    const inner = parents[index - 1] ?? record;
    const prefix = "../".repeat(index + 1);
    for (const value of valuesBelow(parent, inner)) {
      add({ ...value, header: prefix + value.header }, index + 1);
    }
  }
  laidOut(record, named).begins = 0;
  const own = [...valuesBelow(record)];
  for (const value of own) add(value, 0);

  const fixed = new Map<number, CellValue>();
  for (const child of around.filter((each) => !parents.includes(each)).flatMap(onlyChildren)) {
    if (laidOut(child, named).column !== -1) continue;
    fixed.set(headers.length, child.onlyValue);
    headers.push(absoluteHeader(child));
  }
  const [innermost] = parents;
  return {
    headers,
    root,
    fixed,
    levels: parents.length,
    // A product with neither variants nor a code is a mistake, which its row shows.
    isParentRow:
      innermost !== undefined &&
      signs.code !== -1 &&
      (signs.isVariant || hasCode(innermost, judge)),
    shared: findShared(
      own.map(({ header }) => header),
      headers,
      innermost === undefined ? new Map() : findTwins(record, innermost, judge),
    ),
  };
}

const findShared = (
  own: readonly string[],
  headers: readonly string[],
  twins: ReadonlyMap<string, string>,
): RecordLayout["shared"] =>
  own.flatMap((header) => {
    const same = headers.indexOf(`../${header}`);
    const from = same === -1 ? headers.indexOf(`../${twins.get(header) ?? ""}`) : same;
    return from === -1 ? [] : [[headers.indexOf(header), from] as const];
  });

/** Names of a record's values by which the node around it names the same under another name. */
function findTwins(
  record: PathNode,
  parent: PathNode,
  judge: JudgeRecord,
): ReadonlyMap<string, string> {
  const [own, around] = [record, parent].map((node) => listMeanings(node, judge));
  const pairs = [...(own ?? [])].flatMap(([meaning, [name = "", ...others]]) => {
    const [twin, ...more] = around?.get(meaning) ?? [];
    const isOne = twin !== undefined && others.length === 0 && more.length === 0;
    return isOne ? [[name, twin] as const] : [];
  });
  return new Map(pairs);
}

function listMeanings(node: PathNode, judge: JudgeRecord): ReadonlyMap<string, readonly string[]> {
  const names = directHeaders(node);
  const { meanings = [] } = judge(pathNames(node), names);
  const known = names.map((name, index) => [meanings[index], name] as const);
  const groups = Map.groupBy(known, ([meaning]) => meaning);
  return new Map(
    [...groups].flatMap(([meaning, named]) =>
      meaning === undefined ? [] : [[meaning, named.map(([, name]) => name)] as const],
    ),
  );
}

/** The nodes around a record, the nearest first, without the document itself. */
function ancestorsOf(record: PathNode): readonly PathNode[] {
  const found: PathNode[] = [];
  for (let at = record.parent; at?.parent !== undefined; at = at.parent) found.push(at);
  return found;
}

function topOf(node: PathNode): PathNode {
  return node.parent === undefined ? node : topOf(node.parent);
}

/** The values in a node that the document has once. */
const onlyChildren = (node: PathNode): readonly PathNode[] =>
  [...node.children.values()].filter(
    ({ children, count, onlyValue }) => children.size === 0 && count === 1 && onlyValue !== null,
  );

/** The nodes around a record whose values are those of some records only. */
function listParents(
  around: readonly PathNode[],
  { isVariant }: RecordCandidate["signs"],
  judge: JudgeRecord,
): readonly PathNode[] {
  const product = isVariant ? around.find((node) => isLoneProduct(node, judge)) : undefined;
  return around.filter((node) => isRepeated(node) || hasCode(node, judge) || node === product);
}

/**
 * Whether a node around variants is their product, even if it is the only one of its document and has
 * no code. The document itself is not.
 */
const isLoneProduct = (node: PathNode, judge: JudgeRecord): boolean =>
  node.depth > 1 && judge(pathNames(node), directHeaders(node)).known > 0;

const hasCode = (node: PathNode, judge: JudgeRecord): boolean =>
  judge(pathNames(node), directHeaders(node)).code !== -1;

function layoutNode(node: PathNode, named: Map<PathNode, LayoutNode>): LayoutNode {
  const children = new Map<string, LayoutNode>();
  const laid = { children, column: -1, level: 0, begins: -1, isMarkup: false };
  named.set(node, laid);
  for (const [name, child] of node.children) children.set(name, layoutNode(child, named));
  return laid;
}

function laidOut(node: PathNode, named: ReadonlyMap<PathNode, LayoutNode>): LayoutNode {
  const laid = named.get(node);
  if (laid === undefined) throw new Error(`the node ${node.name} was not laid out`);
  return laid;
}

/** The columns below a node, in the order of the document, without those of an inner node. */
function* valuesBelow(node: PathNode, inner?: PathNode, before = ""): Generator<ValueNode> {
  const separator = pathNames(node)[0] === JSON_ROOT ? "." : "/";
  for (const child of node.children.values()) {
    if (child === inner) continue;
    const header = before + child.name;
    if (isValueNode(child)) yield { node: child, header };
    if (!child.isMixed) yield* valuesBelow(child, inner, header + separator);
  }
}

function absoluteHeader(node: PathNode): string {
  const names = pathNames(node);
  return names[0] === JSON_ROOT ? `/${names.slice(1).join(".")}` : `/${names.join("/")}`;
}

/** A node around records that is open. */
interface OpenParent {
  readonly cells: CellValue[];
  readonly line: number;
  hasRecord: boolean;
  /** Whether rows with its values have been given out. */
  isGiven: boolean;
}

/** A row whose nodes around it may still get values. */
interface HeldRow {
  readonly line: number;
  readonly cells: CellValue[];
  readonly parents: readonly OpenParent[];
}

export interface RowCollector extends NodeHandler {
  /** The rows that are complete, each given once. */
  take(): SheetRow[];
  /** Number of the record that is being read. */
  readonly record: number;
  /** The reader that reports the nodes, which knows their lines. */
  reader: Pick<NestedReader, "line"> | undefined;
}

/** Rows that wait for values of a node around them. */
const MAX_HELD_ROWS = 10_000;
const MAX_HELD_CHARS = 8 * 1024 * 1024;

export const createRowCollector = (layout: RecordLayout, limits: NestedLimits): RowCollector =>
  new Collector(layout, limits);

class Collector implements RowCollector {
  readonly #layout: RecordLayout;
  readonly #limits: NestedLimits;
  /** The open nodes; `undefined` for one that the first reading did not meet. */
  readonly #open: (LayoutNode | undefined)[];
  /** By level from 1; the place of level 0 is empty. */
  readonly #parents: (OpenParent | undefined)[] = [];
  #cells: CellValue[] | undefined;
  #line = 1;
  reader: RowCollector["reader"];
  #held: HeldRow[] = [];
  #heldChars = 0;
  #ready: SheetRow[] = [];
  #given = 0;

  constructor(layout: RecordLayout, limits: NestedLimits) {
    this.#layout = layout;
    this.#limits = limits;
    this.#open = [layout.root];
  }

  get record(): number {
    return this.#given + this.#held.length + (this.#cells === undefined ? 0 : 1);
  }

  take(): SheetRow[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  open(name: string): boolean {
    const node = this.#open[this.#open.length - 1]?.children.get(name);
    this.#open.push(node);
    if (node === undefined) return false;
    if (node.begins === 0) {
      this.#cells = this.#emptyCells();
      this.#line = this.#lineNow();
    } else if (node.begins > 0) {
      const cells = this.#emptyCells();
      this.#parents[node.begins] = {
        cells,
        line: this.#lineNow(),
        hasRecord: false,
        isGiven: false,
      };
    }
    return node.isMarkup;
  }

  value(value: CellValue): void {
    const node = this.#open[this.#open.length - 1];
    if (node === undefined || node.column === -1) return;
    const parent = this.#parents[node.level];
    if (node.level > 0 && parent?.isGiven === true) {
      throw new NestedFault("E_RECORD_CONTENT", { reason: "late", limit: MAX_HELD_ROWS });
    }
    const cells = node.level === 0 ? this.#cells : parent?.cells;
    if (cells !== undefined) addValue(cells, node.column, value, this.#limits);
  }

  close(): void {
    const node = this.#open.pop();
    if (node === undefined || node.begins === -1) return;
    if (node.begins === 0) this.#endRecord();
    else this.#endParent(node.begins);
  }

  #emptyCells(): CellValue[] {
    return Array.from<CellValue>({ length: this.#layout.headers.length }).fill(null);
  }

  #endRecord(): void {
    const cells = this.#cells;
    this.#cells = undefined;
    if (cells === undefined) return;
    const parents = this.#parents.filter((parent) => parent !== undefined);
    for (const parent of parents) parent.hasRecord = true;
    this.#hold({ cells, parents, line: this.#line });
  }

  #lineNow(): number {
    return this.reader?.line ?? 1;
  }

  #endParent(level: number): void {
    const parent = this.#parents[level];
    if (level === 1 && parent?.hasRecord === false && this.#layout.isParentRow) {
      const cells = [...parent.cells];
      for (const [column, from] of this.#layout.shared) cells[column] = cells[from] ?? null;
      const parents = this.#parents.filter((each) => each !== undefined);
      for (const each of parents) each.hasRecord = true;
      this.#hold({ cells, parents, line: parent.line });
    }
    if (level === this.#layout.levels) this.#giveAll();
    this.#parents[level] = undefined;
  }

  #hold(row: HeldRow): void {
    this.#held.push(row);
    if (row.parents.length === 0) {
      this.#giveAll();
      return;
    }
    for (const cell of row.cells) if (typeof cell === "string") this.#heldChars += cell.length;
    if (this.#held.length < MAX_HELD_ROWS && this.#heldChars < MAX_HELD_CHARS) return;
    for (const parent of row.parents) parent.isGiven = true;
    this.#giveAll();
  }

  #giveAll(): void {
    for (const { cells, parents, line } of this.#held) {
      for (const parent of parents) {
        for (const [column, value] of parent.cells.entries()) {
          if (value !== null) cells[column] = value;
        }
      }
      for (const [column, value] of this.#layout.fixed) cells[column] = value;
      this.#given += 1;
      this.#ready.push({ row: this.#given, cells, line });
    }
    this.#held = [];
    this.#heldChars = 0;
  }
}

/** Divides the values of nodes that repeat. No address of an image has one. */
const LIST_SEPARATOR = "\n";

function addValue(
  cells: CellValue[],
  column: number,
  value: CellValue,
  limits: NestedLimits,
): void {
  const before = cells[column] ?? null;
  if (before === null) {
    cells[column] = value;
    return;
  }
  const list = String(before) + LIST_SEPARATOR + String(value);
  assertCell(list.length, limits);
  cells[column] = list;
}
