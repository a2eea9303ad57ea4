import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../../test/helpers/source-paths.ts";

const WORK = toAbsolutePath(SOURCE_PATHS.imageWork);

/**
 * A separate process, because what is blocked in the library stays blocked until the process ends.
 */
const PROGRAM = `
  import { restrictLibrary } from ${JSON.stringify(WORK)};
  import sharp from "sharp";
  const blank = () => sharp({ create: { width: 20, height: 20, channels: 3, background: "#123456" } });
  const made = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    gif: await blank().gif().toBuffer(),
    tiff: await blank().tiff().toBuffer(),
    avif: await blank().avif().toBuffer(),
    jpeg: await blank().jpeg().toBuffer(),
    png: await blank().png().toBuffer(),
    webp: await blank().webp().toBuffer(),
  };
  restrictLibrary();
  const opened = [];
  for (const [name, bytes] of Object.entries(made)) {
    await sharp(bytes).metadata().then(() => opened.push(name), () => undefined);
  }
  console.log(JSON.stringify(opened));
`;

describe("restrictLibrary", () => {
  it("keeps only the loaders of three formats", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--no-warnings", "-e", PROGRAM],
      { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
    );

    expect(JSON.parse(stdout)).toEqual(["jpeg", "png", "webp"]);
  });
});
