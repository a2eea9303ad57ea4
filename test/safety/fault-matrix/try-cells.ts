/** Tries several cells concurrently, and returns those with an unexpected outcome. */

import { expectedOf, verdictOf } from "./expected.ts";
import { type Cell, tryCell } from "./try-cell.ts";

/** Cells tried concurrently, as most of a cell is waiting. */
const AT_A_TIME = 12;

/** Unexpected outcomes; empty without any. */
export async function tryCells(cells: readonly Cell[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let cell = cells[next]; cell !== undefined; cell = cells[next]) {
      next += 1;
      const name = `${cell.operation}, ${cell.moment}, ${cell.action}`;
      const tried = await tryCell(cell);
      const verdict = verdictOf(cell, tried);
      if (!expectedOf(cell).includes(verdict)) wrong.push(`${name}: ${verdict}`);
      if (tried.arrivals > 1) wrong.push(`${name}: arrived ${tried.arrivals} times`);
      const isMeeting = cell.moment !== "between" && cell.action !== "refuse";
      if (isMeeting && !tried.isSpoiled) wrong.push(`${name}: the fault met nothing`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return wrong;
}
