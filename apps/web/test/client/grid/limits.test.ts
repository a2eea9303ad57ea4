import { expect, it } from "vitest";

import { MAX_CELLS, MAX_ROWS } from "../../../client/grid/row-window.ts";
import { MAX_CELLS_EDITED, MAX_ROWS_READ } from "../../../src/api/index.ts";

it("repeats the limits of the server", () => {
  expect({ MAX_CELLS, MAX_ROWS }).toEqual({ MAX_CELLS: MAX_CELLS_EDITED, MAX_ROWS: MAX_ROWS_READ });
});
