import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  createTextOutput,
  type CsvTable,
  replaceFile,
  writeCsv,
  writeJsonl,
} from "../src/write-file.ts";
import { brokenRows, readAll, readCells, temporaryFolder } from "./helpers/files.ts";

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

async function writeTexts(texts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "text-output-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const path = join(folder, "text");
  {
    await using handle = await open(path, "wx");
    const output = createTextOutput(handle);
    for (const text of texts) await output.write(text);
    await output.flush();
  }
  return await readFile(path, "utf8");
}

it("writes texts one after the other, however long each is", async () => {
  const texts = [
    "",
    "ığdır ",
    "x".repeat(40_000),
    "ş".repeat(70_000),
    "🙂".repeat(9),
    "y".repeat(200_000),
  ];

  expect(await writeTexts(texts)).toBe(texts.join(""));
});

it("writes many short texts in their order", async () => {
  const texts = Array.from({ length: 30_000 }, (_, at) => `satır ${at};`);

  expect(await writeTexts(texts)).toBe(texts.join(""));
});

const written = async (table: Omit<CsvTable, "path">): Promise<string> => {
  const path = join(temporaryFolder(), "a.csv");
  await writeCsv({ ...table, path });
  return path;
};

describe("writeCsv", () => {
  it("writes a file that Turkish Excel opens correctly", async () => {
    const path = await written({
      header: ["Kod", "Fiyat"],
      rows: [
        ["007", 12.5],
        ['a "b"\nc', -3],
        [true, null],
      ],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toBe(
      '\ufeff"Kod";"Fiyat"\r\n"007";12,5\r\n"a ""b""\nc";-3\r\nTRUE;\r\n',
    );
  });

  it("quotes a number with a decimal comma where commas separate", async () => {
    const path = await written({
      header: ["a"],
      rows: [[1.5, 2]],
      delimiter: ",",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toContain('"1,5",2\r\n');
  });

  it("writes numbers with a decimal point", async () => {
    const path = await written({ header: ["a"], rows: [[1.5]], delimiter: ";", decimal: "point" });

    expect(readFileSync(path, "utf8")).toContain("\r\n1.5\r\n");
  });

  it("writes money with two decimals, and more where it has more", async () => {
    const amounts = [3283.9, 50, -12.5, 0.05, 12.345].map((amount) => ({ amount }));

    const path = await written({
      header: ["a", "b", "c", "d", "e", "f"],
      rows: [[...amounts, 50]],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toContain("\r\n3283,90;50,00;-12,50;0,05;12,345;50\r\n");
  });

  it("writes every amount of minor units so that its digits are these units", async () => {
    const minor = fc.integer({ min: 1, max: 1e13 });
    await fc.assert(
      fc.asyncProperty(fc.array(minor, { minLength: 1, maxLength: 20 }), async (amounts) => {
        const path = await written({
          header: ["a"],
          rows: amounts.map((each) => [{ amount: each / 100 }]),
          delimiter: ";",
          decimal: "comma",
        });

        const lines = readFileSync(path, "utf8").split("\r\n").slice(1, -1);
        expect(lines).toEqual(lines.map((line) => /^\d+,\d\d$/u.exec(line)?.[0]));
        expect(lines.map((line) => Number(line.replace(",", "")))).toEqual(amounts);
      }),
      { numRuns: 50 },
    );
  });

  it("prevents texts and headers from running as formulas", async () => {
    const path = await written({
      header: ["=a", "b"],
      rows: [
        ["=cmd|x", "\t+1"],
        ["-5", "@x"],
      ],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toBe(
      '\ufeff"\'=a";"b"\r\n"\'=cmd|x";"\'\t+1"\r\n"\'-5";"\'@x"\r\n',
    );
    expect((await readAll(path)).header).toEqual(["=a", "b"]);
  });

  it("replaces characters that no text file can hold", async () => {
    const rows = [["a\0b", "\ud83d."]];

    const path = await written({ header: ["a", "b"], rows, delimiter: ";", decimal: "comma" });

    expect(await readCells(path)).toEqual([["a\ufffdb", "\ufffd."]]);
  });

  it("is read back as it was written", async () => {
    const unit = fc.oneof(
      fc.constantFrom("ş", "İ", '"', ";", ",", "\n", "'", "=", "\r"),
      fc.string(),
    );
    // A text of blanks makes an empty row, and a CR at the end of a record belongs to the line end.
    const cell = fc.oneof(
      fc.array(unit).map((parts) => `${parts.join("").replaceAll("\0", "")}.`),
      fc.constantFrom("'00123", '="00123"', "''00123", "'=1", '=""', "=1+1", "'90'lar"),
    );
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(";" as const, "," as const),
        async (rows, delimiter) => {
          const path = await written({ header: ["a", "b"], rows, delimiter, decimal: "point" });

          expect(await readCells(path, { delimiter })).toEqual(rows);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("requests rows as it writes, and leaves no file when they fail", async () => {
    const path = join(temporaryFolder(), "a.csv");
    const writing = writeCsv({
      path,
      header: ["a"],
      rows: brokenRows(),
      delimiter: ";",
      decimal: "comma",
    });

    await expect(writing).rejects.toThrow("store is gone");
    expect(existsSync(path)).toBe(false);
  });

  it("writes more rows than one batch", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => [
      `ürün ${index}`.padEnd(60, "x"),
      "b",
    ]);

    const path = await written({ header: ["a", "b"], rows, delimiter: ";", decimal: "comma" });

    expect(await readCells(path)).toEqual(rows);
  });
});

describe("writeJsonl", () => {
  it("writes one object per line, with unchanged texts", async () => {
    const path = join(temporaryFolder(), "a.jsonl");
    const rows = [
      ["=1+1", 12.5, true],
      ["İlk\nikinci", null, "  x "],
    ];

    await writeJsonl({ path, keys: ["a", "b", "c"], rows, mode: 0o600 });

    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.map((line) => (line === "" ? "" : JSON.parse(line)))).toEqual([
      { a: "=1+1", b: 12.5, c: true },
      { a: "İlk\nikinci", b: null, c: "  x " },
      "",
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("leaves no file when the rows fail", async () => {
    const path = join(temporaryFolder(), "a.jsonl");

    await expect(writeJsonl({ path, keys: ["a"], rows: brokenRows() })).rejects.toThrow();

    expect(existsSync(path)).toBe(false);
  });
});
