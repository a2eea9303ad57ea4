/**
 * Keeps the heap small in a command that reads a million rows. Such a command makes garbage faster
 * than V8 collects it: on a machine with much memory, the heap grows to five times of what is in
 * use. Importing this module costs some milliseconds.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** New space for the rows of a few batches; objects that live longer move to the old space. */
const NEW_SPACE_BYTES = 16_000_000;
const MOST_ROUNDS = 100;
const ITEMS = 16_384;

const isGrown = () =>
  getHeapSpaceStatistics().some(
    (space) => space.space_name === "new_space" && space.space_size >= NEW_SPACE_BYTES,
  );

// The old space is collected when it has grown by a fifth, not when it has doubled.
setFlagsFromString("--heap-growing-percent=20");

// The maximum of the new space can be set only when Node starts. So surviving objects make it grow,
// and then its growth is stopped: a new space of the initial size would cost half of the time.
const survivors = [];
while (!isGrown() && survivors.length < MOST_ROUNDS) {
  survivors.push(Array.from({ length: ITEMS }, (_, at) => [at]));
}
setFlagsFromString("--semi-space-growth-factor=1");
