import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { openSheet } from "../../src/index.ts";
import { fileOf, readAll, refusal, temporaryFolder } from "../helpers/files.ts";

const run = promisify(execFile);
const READER = fileURLToPath(new URL("../helpers/read-documents.ts", import.meta.url));

const MB = 1024 * 1024;
const FIRST = "<?xml version='1.0'?><u><p><kod>1</kod></p>";
const entities = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`);

/** A document that is its start, so many bytes of a repeated text, and its end. */
type Hostile = readonly [code: string, bound: string, start: string, repeated: string, end: string];

const DOCUMENTS: Readonly<Record<string, Hostile>> = {
  bomb: [
    "E_RECORD_DOCTYPE",
    "",
    `<?xml version='1.0'?><!DOCTYPE u [<!ENTITY e0 "ha">${entities.join("")}]><u>`,
    "&e30;",
    "</u>",
  ],
  "external entity": [
    "E_RECORD_DOCTYPE",
    "",
    '<?xml version="1.0"?><!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]><u>',
    "<p>&x;</p>",
    "</u>",
  ],
  "long document type": [
    "E_RECORD_LIMIT",
    "endless",
    "<?xml version='1.0'?><!DOCTYPE u [",
    "<!-- -->",
    "",
  ],
  "long name": ["E_RECORD_LIMIT", "endless", `${FIRST}<`, "n", ">"],
  "long closing name": ["E_RECORD_LIMIT", "endless", `${FIRST}</`, "n", ">"],
  "long name of an attribute": ["E_RECORD_LIMIT", "endless", `${FIRST}<p `, "n", "='1'/></u>"],
  "long attribute": ["E_RECORD_LIMIT", "endless", `${FIRST}<p a="`, "v", '"/></u>'],
  "many attributes": ["E_RECORD_LIMIT", "endless", `${FIRST}<p `, "a='1' ", "/></u>"],
  "long text": ["E_RECORD_LIMIT", "endless", `${FIRST}<p><kod>`, "text ", "</kod></p></u>"],
  "long section": ["E_RECORD_LIMIT", "endless", `${FIRST}<p><![CDATA[`, "text ", "]]></p></u>"],
  "long comment": ["E_RECORD_LIMIT", "endless", `${FIRST}<!-- `, "text ", "--></u>"],
  "long instruction": ["E_RECORD_LIMIT", "endless", `${FIRST}<?x `, "text ", "?></u>"],
  "many references": ["E_CELL_TOO_LONG", "", `${FIRST}<p><kod>`, "&#65;<!---->", "</kod></p></u>"],
  "deep elements": ["E_RECORD_LIMIT", "depth", FIRST, "<a>", ""],
  "deep arrays": ["E_RECORD_LIMIT", "depth", '[{"kod":1},', "[", ""],
  "deep objects": ["E_RECORD_LIMIT", "depth", '[{"kod":1},', '{"a":', ""],
  "long key": ["E_RECORD_LIMIT", "endless", '[{"kod":1},{"', "k", '":1}]'],
  "long string": ["E_RECORD_LIMIT", "endless", '[{"kod":"', "text ", '"}]'],
  "long string of slashes": ["E_RECORD_LIMIT", "endless", '[{"kod":"', String.raw`\\`, '"}]'],
  "long number": ["E_RECORD_LIMIT", "endless", '[{"kod":', "1", "}]"],
  "cut elements": ["E_FILE_TRUNCATED", "", FIRST, "<p><kod>2</kod></p>", ""],
  "cut objects": ["E_FILE_TRUNCATED", "", '[{"kod":1}', ',{"kod":2}', ""],
  "cut lines": ["E_FILE_TRUNCATED", "", '{"kod":1}\n', '{"kod":2}\n', '{"kod":'],
};

async function write(folder: string, name: string, hostile: Hostile): Promise<string> {
  const [, , start, repeated, end] = hostile;
  const path = join(folder, `${name.replaceAll(" ", "-")}.xml`);
  const file = createWriteStream(path);
  const piece = repeated.repeat(Math.ceil((64 * 1024) / repeated.length));
  file.write(start);
  for (let bytes = 0; bytes < 10 * MB; bytes += piece.length) file.write(piece);
  file.end(end);
  await finished(file);
  return path;
}

it("refuses hostile documents of 10 MB within seconds, with a heap of 96 MB", async () => {
  const folder = temporaryFolder();
  const paths: string[] = [];
  for (const [name, hostile] of Object.entries(DOCUMENTS)) {
    paths.push(await write(folder, name, hostile));
  }

  const { stdout } = await run(process.execPath, ["--max-old-space-size=96", READER, ...paths], {
    timeout: 60_000,
  });

  const found = stdout.trim().split("\n");
  const expected = Object.entries(DOCUMENTS).map(([name, [code, bound]]) =>
    `${name}: ${code} ${bound}`.trimEnd(),
  );
  expect(found.map((line) => line.replace(/ \d+ ms$/u, ""))).toEqual(expected);
  const slowest = Math.max(...found.map((line) => Number(/(\d+) ms$/u.exec(line)?.[1])));
  expect(slowest).toBeLessThan(5_000);
}, 90_000);

it.each([
  ["different names", (at: number) => `<n${at}>1</n${at}>`, "<x><kod>1</kod>", "</x>"],
  ["different keys", (at: number) => `"k${at}":1,`, '{"kod":1,', '"z":1}'],
])("refuses a document of 10,000 %s", async (_, node, start, end) => {
  const nodes = Array.from({ length: 10_000 }, (_each, at) => node(at));
  const path = fileOf("a.xml", start + nodes.join("") + end);

  expect(await refusal(openSheet({ path }))).toMatchObject({
    code: "E_RECORD_LIMIT",
    details: { bound: "paths", limit: 5_000 },
  });
});

describe("a document that was cut off", () => {
  it.each([
    [
      "XML",
      "<?xml version='1.0'?><u v='1'><p><kod>1</kod><ad><![CDATA[a]]></ad></p><!-- c --><p><kod>2</kod><ad>&amp;</ad></p></u>",
    ],
    ["JSON", '[{"kod": "1", "x": [1, 2]}, {"kod": "\\u00fc", "x": null}]'],
  ])("is refused wherever it was: %s", async (_, whole) => {
    const accepted: number[] = [];
    for (let length = 6; length < whole.length; length += 1) {
      const error = await refusal(
        openSheet({ path: fileOf("a.xml", whole.slice(0, length)) }),
      ).catch(() => undefined);
      if (error === undefined) accepted.push(length);
    }
    expect(accepted).toEqual([]);
  });
});

const turkish = (stated: string): string =>
  `<?xml version="1.0" encoding="${stated}"?>\n<u><p><kod>1</kod><ad>Işıklı çağ, şüpheli göl</ad></p><p><kod>2</kod><ad>Ağaç</ad></p></u>`;
const encode = (stated: string, encoding: string, addBOM = false): Buffer =>
  iconv.encode(turkish(stated), encoding, { addBOM });

describe("the encoding of XML", () => {
  it.each([
    ["windows-1254", encode("windows-1254", "windows-1254"), "windows-1254"],
    ["ISO-8859-9", encode("ISO-8859-9", "iso-8859-9"), "iso-8859-9"],
    ["UTF-8", encode("UTF-8", "utf-8"), "utf-8"],
    ["UTF-16 with a mark", encode("UTF-16", "utf-16le", true), "utf-16le"],
    ["UTF-16 of the other order", encode("utf-16", "utf-16be", true), "utf-16be"],
    ["UTF-16 without a mark", encode("utf-16", "utf-16le"), "utf-16le"],
    ["UTF-16 that is UTF-8", encode("utf-16", "utf-8"), "utf-8"],
    ["UTF-8 that is windows-1254", encode("utf-8", "windows-1254"), "windows-1254"],
    ["windows-1254 behind a mark of UTF-8", encode("windows-1254", "utf-8", true), "utf-8"],
  ])("is read where it is stated as %s", async (_, bytes, encoding) => {
    const read = await readAll(fileOf("a.xml", bytes));

    expect(read.encoding).toBe(encoding);
    expect(read.rows[0]?.cells).toEqual(["1", "Işıklı çağ, şüpheli göl"]);
  });

  it.each([
    ["windows-1254 and is UTF-8", encode("windows-1254", "utf-8"), "E_ENCODING_UNSURE"],
    [
      "iso-8859-1 and has Turkish letters",
      encode("iso-8859-1", "windows-1254"),
      "E_ENCODING_UNSURE",
    ],
    ["an unknown name", encode("klingon", "utf-8"), "E_ENCODING"],
    [
      "UTF-8 with parts in windows-1254",
      Buffer.concat([encode("utf-8", "utf-8"), Buffer.from("<!-- \xfe -->", "latin1")]),
      "E_ENCODING",
    ],
  ])("is asked about or refused where it is stated as %s", async (_, bytes, code) => {
    expect((await refusal(openSheet({ path: fileOf("a.xml", bytes) }))).code).toBe(code);
  });
});
