/**
 * Keeps the heap small in a command that reads a million rows. Such a command makes garbage faster
 * than V8 collects it: on a machine with much memory, the heap grows to five times of what is in
 * use. Importing this module costs some milliseconds.
 */

import { statSync } from "node:fs";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const MIB = 2 ** 20;

/** Size of the new space once it is in use. */
const FIRST_SPACE_BYTES = 2 * MIB;

/**
 * New space for the rows of a few batches; objects that live longer move to the old space. The old
 * space is collected when it has grown by so many percent, instead of doubled.
 */
const LARGE_FILE = { newSpaceBytes: 16 * MIB, growingPercent: 20 };

/**
 * A file of up to 100,000 rows needs less memory for other things, so that it is planned with a
 * larger heap: 40 MB save 4 % of the processor time (`test/bench`, row 1). For a smaller one, making
 * the heap would take longer than it saves.
 */
const SMALL_FILE = { newSpaceBytes: 32 * MIB, growingPercent: 50 };
const SMALL_FILE_BYTES = { min: 8_000_000, max: 128_000_000 };

/** A workbook is compressed, to a tenth or less. */
const PACKED = /\.(?:xlsx|xlsm|ods)$/iu;
const PACKED_FACTOR = 10;

const MOST_ROUNDS = 100;
const ITEMS = 16_384;

/** Size of the file that a word of the command line names, unpacked; 0 where it names none. */
function fileBytes(word) {
  try {
    const found = statSync(word);
    return found.isFile() ? found.size * (PACKED.test(word) ? PACKED_FACTOR : 1) : 0;
  } catch {
    return 0;
  }
}

// A command that names no file continues an older run, of any size.
const bytes = Math.max(0, ...process.argv.slice(2).map(fileBytes));
const isSmall = bytes >= SMALL_FILE_BYTES.min && bytes <= SMALL_FILE_BYTES.max;
const { newSpaceBytes, growingPercent } = isSmall ? SMALL_FILE : LARGE_FILE;

const isGrown = () =>
  getHeapSpaceStatistics().some(
    (space) => space.space_name === "new_space" && space.space_size >= newSpaceBytes,
  );

// V8 would make objects of a kind that once outlived its batch in the old space from then on. What
// they refer to would live until a full collection: many plans took a fifth more processor time.
setFlagsFromString("--no-allocation-site-pretenuring");
setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
// It grows in one step, as each step copies what survives.
setFlagsFromString(`--semi-space-growth-factor=${newSpaceBytes / FIRST_SPACE_BYTES}`);

// The maximum of the new space can be set only when Node starts. So surviving objects make it grow,
// and then its growth is stopped: a new space of the initial size would cost half of the time.
const survivors = [];
while (!isGrown() && survivors.length < MOST_ROUNDS) {
  survivors.push(Array.from({ length: ITEMS }, (_, at) => [at]));
}
setFlagsFromString("--semi-space-growth-factor=1");
