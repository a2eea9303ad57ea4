/**
 * Plays every single behavior through the matrix of import, import from a new home, sync and
 * export.
 */

import { judgeMatrix, playMatrix } from "../../contract/behavior/play-matrix.ts";
import { CROWDS, BEHAVIORS } from "../../contract/behavior/unavoidable.ts";

for (const personality of [...BEHAVIORS.map((one) => [one]), ...CROWDS]) {
  const wrong = judgeMatrix(personality, await playMatrix(personality));
  console.log(`${personality.join(" ")}: ${wrong.length === 0 ? "ok" : wrong.join("; ")}`);
  if (wrong.length > 0) process.exitCode = 1;
}
