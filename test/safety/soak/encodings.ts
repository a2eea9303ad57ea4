/**
 * Reads random files in old encodings and counts the outcomes. Prints one line for each encoding;
 * ends with 1 if a file was read as something else without a question, or if more than 1 % of
 * Excel's files needed one.
 *
 *   node test/safety/soak/encodings.ts [FILES] [FIRST-SEED]
 */

import { playEncodings } from "../../files/bad-files/play-encodings.ts";

const [files = "20000", firstSeed = "1"] = process.argv.slice(2);
const { tallies, wrong } = await playEncodings({
  files: Number(files),
  firstSeed: Number(firstSeed),
});

for (const [savedAs, { right, asked, wrong: misread }] of tallies) {
  console.log(`${savedAs}: ${right} right, ${asked} asked, ${misread} wrong`);
}
for (const drawn of wrong) console.log(`wrong: ${drawn}`);
const { right = 0, asked = 0 } = tallies.get("windows-1254") ?? {};
if (wrong.length > 0 || asked > (right + asked) * 0.01) process.exitCode = 1;
