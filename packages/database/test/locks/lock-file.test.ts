import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { takeLockFile } from "../../src/locks/lock-files.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

function take(path: string): ReturnType<typeof takeLockFile> {
  const lock = takeLockFile({ path, busyTimeoutMs: 1 });
  onTestFinished(() => {
    if (!("busy" in lock)) lock[Symbol.dispose]();
  });
  return lock;
}

describe("takeLockFile", () => {
  it("gives the lock to one holder, and to the next once it is released", () => {
    const path = join(temporaryFolder(), "a.lock");
    const first = take(path);

    expect("busy" in first).toBe(false);
    expect("busy" in take(path)).toBe(true);
    if (!("busy" in first)) first[Symbol.dispose]();

    expect("busy" in take(path)).toBe(false);
  });

  it("locks two files independently", () => {
    const folder = temporaryFolder();
    take(join(folder, "a.lock"));

    expect("busy" in take(join(folder, "b.lock"))).toBe(false);
  });

  it("does not report an unusable file as busy", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "other.txt"), "Kod;Fiyat\r\n".repeat(500));

    for (const path of [join(folder, "missing", "a.lock"), join(folder, "other.txt")]) {
      expect(() => take(path)).toThrow(expect.objectContaining({ code: "E_DATABASE" }));
    }
  });
});
