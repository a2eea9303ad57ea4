import { readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { hashBytes } from "../../src/check/image-checker.ts";
import { createDecoder } from "../../src/decode/decoder.ts";
import { createPreparedImages, DEFAULT_PREPARE } from "../../src/send/upload.ts";
import { jpeg } from "../helpers/make-images.ts";
import { createCheckCache } from "../helpers/memory.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

describe("createPreparedImages", () => {
  it("keeps a prepared image under the hash of its content, and prepares it once", async () => {
    const decoder = createDecoder({ processes: 1 });
    onTestFinished(() => decoder[Symbol.asyncDispose]());
    const options = {
      folder: createFolder(),
      settings: DEFAULT_PREPARE,
      cache: createCheckCache(),
    };
    const bytes = await jpeg(500, 500);
    let reads = 0;
    const read = (): Promise<{ ok: true; value: Buffer }> => {
      reads += 1;
      return Promise.resolve({ ok: true, value: bytes });
    };
    const prepare = async (settings = DEFAULT_PREPARE): Promise<string> => {
      const images = createPreparedImages({ ...options, decoder, settings });
      const made = await images.prepare(hashBytes(bytes), read);
      return made.ok ? made.value.path : made.problem.code;
    };

    const path = await prepare();
    const again = await prepare();
    const smaller = await prepare({ ...DEFAULT_PREPARE, maxEdge: 100 });
    rmSync(path);
    const restored = await prepare();

    expect(basename(dirname(path)) + basename(path, ".jpg")).toBe(hashBytes(readFileSync(path)));
    expect([again, restored]).toEqual([path, path]);
    expect(smaller).not.toBe(path);
    expect(reads).toBe(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
