import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { decodeSlices, detectEncoding, readText } from "../../src/csv/text-file.ts";
import { collect, fileOf, inPieces, refusal } from "../helpers/files.ts";

/** Turkish letters as windows-1254 writes them. */
const LEGACY = Buffer.from([0xfe, 0x65, 0x6b, 0x65, 0x72, 0x3b, 0xdd, 0xf0, 0xfd]);

const slicesOf = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

it("decodeSlices returns the same text for every size of slice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom("ş", "ğ", "ı", "İ", "a", "\n", "€", "😀") }),
      fc.integer({ min: 1, max: 64 }),
      async (text, size) => {
        const slices = inPieces(slicesOf(Buffer.from(text), size));

        expect((await collect(decodeSlices(slices, "utf-8"))).join("")).toBe(text);
      },
    ),
  );
});

describe("detectEncoding", () => {
  const file = "a.csv";
  it.each([
    ["UTF-8", Buffer.from("şeker"), "utf-8"],
    ["UTF-8 with a byte order mark", Buffer.from("\ufeffşeker"), "utf-8"],
    ["UTF-16 of Windows", Buffer.from("\ufeffşeker", "utf16le"), "utf-16le"],
    ["UTF-16 of others", Buffer.from("\ufeffşeker", "utf16le").swap16(), "utf-16be"],
    ["windows-1254", LEGACY, "windows-1254"],
  ] as const)("recognises %s", async (what, bytes, encoding) => {
    expect(await detectEncoding(fileOf(file, bytes), { file })).toBe(encoding);
  });

  it("finds an invalid byte anywhere in the file", async () => {
    const path = fileOf(file, Buffer.concat([Buffer.from("a;b\n".repeat(100_000)), LEGACY]));

    expect(await detectEncoding(path, { file })).toBe("windows-1254");
  });

  it("weighs the letters at the end of a long file like those at its beginning", async () => {
    const plain = Buffer.from("KOD;Masa Saati;1,90\n".repeat(20_000));
    const late = Buffer.concat([plain, iconv.encode("KAŞIK;GÜMÜŞ ÇATAL\n", "cp857")]);
    const unsure = Buffer.concat([plain, iconv.encode("Ülker\n", "windows-1254")]);

    expect(await detectEncoding(fileOf(file, late), { file })).toBe("cp857");
    expect(await refusal(detectEncoding(fileOf(file, unsure), { file }))).toMatchObject({
      code: "E_ENCODING_UNSURE",
      details: {
        file,
        readings: [
          { encoding: "windows-1254", words: ["Ülker"] },
          { encoding: "macturkish", words: ["İlker"] },
        ],
      },
    });
  });

  it("asks no question where the encoding is given", async () => {
    const path = fileOf(file, iconv.encode("Ülker\n", "windows-1254"));

    expect(await detectEncoding(path, { file, wanted: "macturkish" })).toBe("macturkish");
    expect(await detectEncoding(fileOf(file, "KaÅŸÄ±k"), { file, wanted: "utf-8" })).toBe("utf-8");
  });

  it("refuses text that was encoded twice, under every byte order mark", async () => {
    const texts = [Buffer.from("KaÅŸÄ±k"), Buffer.from("\ufeffKaÅŸÄ±k")];
    for (const bytes of [...texts, Buffer.from("\ufeffKaÅŸÄ±k", "utf16le")]) {
      const error = await refusal(detectEncoding(fileOf(file, bytes), { file }));

      expect(error.code).toBe("E_ENCODING_UNSURE");
      expect(error.localized.tr).toContain("“Kaşık”");
    }
  });

  it.each(["windows-1254", "windows-1252"])(
    "refuses a byte that %s does not define instead of reading it as a control character",
    async (encoding) => {
      const path = fileOf(file, Buffer.from("S\x81t;Kaş\x8d", "latin1"));

      const error = await refusal(detectEncoding(path, { file, wanted: encoding }));

      expect(error).toMatchObject({ code: "E_ENCODING", details: { found: encoding } });
    },
  );

  it("does not read UTF-8 with a broken letter as another encoding", async () => {
    const path = fileOf(file, Buffer.concat([Buffer.from("şeker;ığdır\n"), LEGACY.subarray(0, 2)]));

    expect(await refusal(detectEncoding(path, { file }))).toMatchObject({
      code: "E_ENCODING",
      details: { found: "utf-8" },
    });
  });

  it("recognises UTF-16 without a byte order mark", async () => {
    const bytes = Buffer.from("Kod;Ad\n1;şeker\n", "utf16le");

    expect(await detectEncoding(fileOf(file, bytes), { file })).toBe("utf-16le");
    expect(await detectEncoding(fileOf(file, bytes.swap16()), { file })).toBe("utf-16be");
  });

  it("prefers the byte order mark to the wanted encoding", async () => {
    const path = fileOf(file, "\ufeffşeker");

    expect(await detectEncoding(path, { file, wanted: "windows-1254" })).toBe("utf-8");
  });

  it.each(["utf-8", "klingon"])("refuses to read text as %s that is not in it", async (wanted) => {
    const error = await refusal(detectEncoding(fileOf(file, LEGACY), { file, wanted }));

    expect(error).toMatchObject({ code: "E_ENCODING", details: { found: wanted } });
  });

  it("refuses text with a NUL in it", async () => {
    const error = await refusal(detectEncoding(fileOf(file, "a;b\n1;\0"), { file }));

    expect(error.code).toBe("E_NUL");
  });
});

describe("readText", () => {
  it("removes the byte order mark and keeps every letter", async () => {
    const text = "çğıöşü;İ\n".repeat(20_000);
    const path = fileOf("a.csv", `\ufeff${text}`);

    const slices = await collect(readText({ path, encoding: "utf-8" }));

    expect(slices.length).toBeGreaterThan(3);
    expect(slices.join("") === text).toBe(true);
  });

  it("repairs text that was encoded twice, when that is requested", async () => {
    const text = "Kaşık;GÜMÜŞ ÇATAL;Süt “özel”\n".repeat(20_000);
    const damaged = new TextDecoder("windows-1252").decode(Buffer.from(text));
    for (const mark of ["", "\ufeff"]) {
      const path = fileOf("a.csv", `${mark}${damaged}`);
      const encoding = await detectEncoding(path, { file: "a.csv", wanted: "utf-8-twice" });

      const slices = await collect(readText({ path, encoding }));

      expect(slices.join("") === text).toBe(true);
    }
  });

  it("reads windows-1254", async () => {
    const path = fileOf("a.csv", LEGACY);

    const slices = await collect(readText({ path, encoding: "windows-1254" }));

    expect(slices.join("")).toBe("şeker;İğı");
  });

  it("rejects with the reason of the signal", async () => {
    const path = fileOf("a.csv", "a;b");

    const read = collect(
      readText({ path, encoding: "utf-8" }, AbortSignal.abort(new Error("enough"))),
    );

    await expect(read).rejects.toThrow("enough");
  });
});
