import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { replaceFile } from "../src/write-file.ts";
import { temporaryFolder } from "./helpers/files.ts";

const write = async (temporaryPath: string): Promise<void> => writeFile(temporaryPath, "new");

describe("replaceFile", () => {
  it("replaces the old file by the new one", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "a.txt");
    writeFileSync(path, "old");

    await replaceFile(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "new");
      expect(readFileSync(path, "utf8")).toBe("old");
    });

    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it.runIf(process.platform !== "win32")("writes into a pipe, which stays one", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);

    const [read] = await Promise.all([readFile(path, "utf8"), replaceFile(path, write)]);

    expect(read).toBe("new");
    expect(statSync(path).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(["pipe"]);
  });

  it.runIf(process.platform !== "win32")(
    "makes a new file for its owner only, and keeps the permissions of a replaced one",
    async () => {
      const folder = temporaryFolder();
      const [fresh, shared, secret] = ["a.txt", "b.txt", "c.txt"].map((name) => join(folder, name));
      writeFileSync(shared ?? "", "old");
      chmodSync(shared ?? "", 0o640);

      await replaceFile(fresh ?? "", write);
      await replaceFile(shared ?? "", write);
      await replaceFile(secret ?? "", write, 0o400);

      const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
      expect(modes).toEqual([0o600, 0o640, 0o400]);
    },
  );

  it("leaves only the old file when writing fails", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "a.txt");
    writeFileSync(path, "old");

    const replaced = replaceFile(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "half");
      throw new Error("no more rows");
    });

    await expect(replaced).rejects.toThrow("no more rows");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it("names the folder that is missing, not the temporary one in it", async () => {
    const folder = join(temporaryFolder(), "missing");

    const replaced = replaceFile(join(folder, "a.txt"), write);

    await expect(replaced).rejects.toMatchObject({ code: "ENOENT", path: folder });
    await expect(replaced).rejects.not.toThrow(/writing-/u);
  });

  it("names the file that cannot be replaced, not the temporary one", async () => {
    const path = join(temporaryFolder(), "folder");
    mkdirSync(join(path, "full"), { recursive: true });

    const replaced = replaceFile(path, write);

    await expect(replaced).rejects.toMatchObject({ syscall: "rename", path });
    await expect(replaced).rejects.not.toThrow(/writing-/u);
  });
});
