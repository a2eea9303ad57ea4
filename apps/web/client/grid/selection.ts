/** A block of cells between two corners, by positions in the view. */

export interface Corner {
  readonly row: number;
  readonly column: number;
}

export interface Block {
  readonly anchor: Corner;
  readonly head: Corner;
}

export interface Bounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The edges of a block, whatever corner it was begun at. */
export const toBounds = (block: Block): Bounds => ({
  top: Math.min(block.anchor.row, block.head.row),
  bottom: Math.max(block.anchor.row, block.head.row),
  left: Math.min(block.anchor.column, block.head.column),
  right: Math.max(block.anchor.column, block.head.column),
});

export const isInside = (bounds: Bounds, row: number, column: number): boolean =>
  row >= bounds.top && row <= bounds.bottom && column >= bounds.left && column <= bounds.right;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), max);

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The block after Shift and an arrow; the same block for any other key. */
export const extendBlock = (
  block: Block,
  key: string,
  size: { readonly rows: number; readonly columns: number },
): Block => {
  const step = STEPS[key];
  if (step === undefined) return block;
  const head = {
    row: clamp(block.head.row + step[0], 0, size.rows - 1),
    // The number of the row is no cell to copy.
    column: clamp(block.head.column + step[1], 1, size.columns - 1),
  };
  return { anchor: block.anchor, head };
};

/**
 * The block after a click with Shift. From the number of a row to that of another one it takes the
 * rows with all their cells.
 */
export const blockToClick = (block: Block, click: Corner, columns: number): Block => {
  if (click.column > 0) return { anchor: block.anchor, head: click };
  return {
    anchor: { row: block.anchor.row, column: 1 },
    head: { row: click.row, column: columns - 1 },
  };
};

/**
 * Where the texts of the clipboard go: from the upper left corner of the block, and one text into
 * every cell of it. What would lie outside of the view is left out.
 */
export const placeTexts = (
  bounds: Bounds,
  texts: readonly (readonly string[])[],
  size: { readonly rows: number; readonly columns: number },
): readonly { readonly row: number; readonly column: number; readonly value: string }[] => {
  const only = texts.length === 1 && texts[0]?.length === 1 ? texts[0][0] : undefined;
  const placed: { row: number; column: number; value: string }[] = [];
  const put = (row: number, column: number, value: string): void => {
    if (row < size.rows && column < size.columns) placed.push({ row, column, value });
  };
  if (only !== undefined) {
    for (let row = bounds.top; row <= bounds.bottom; row += 1) {
      for (let column = bounds.left; column <= bounds.right; column += 1) put(row, column, only);
    }
    return placed;
  }
  for (const [down, line] of texts.entries()) {
    for (const [right, value] of line.entries()) put(bounds.top + down, bounds.left + right, value);
  }
  return placed;
};
