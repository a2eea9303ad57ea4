/**
 * Keeps the heap of a command small that reads a million rows and forgets them. Such a command makes
 * garbage faster than V8 looks for it: with much memory in the machine, the heap grows to five times
 * of what is in use. Importing this costs some milliseconds.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Where the rows of some batches live and die; what outlives them moves on to the old space. */
const NEW_SPACE_BYTES = 16_000_000;
const MOST_ROUNDS = 100;
const ITEMS = 16_384;

const isGrown = () =>
  getHeapSpaceStatistics().some(
    (space) => space.space_name === "new_space" && space.space_size >= NEW_SPACE_BYTES,
  );

// The old space is cleared when a fifth was added to what was in use, not when it has doubled.
setFlagsFromString("--heap-growing-percent=20");

// The largest new space can be set only when Node starts. So it is made to grow by what survives,
// and told to grow no more: one that stayed as small as it begins would cost half of the time.
const survivors = [];
while (!isGrown() && survivors.length < MOST_ROUNDS) {
  survivors.push(Array.from({ length: ITEMS }, (_, at) => [at]));
}
setFlagsFromString("--semi-space-growth-factor=1");
