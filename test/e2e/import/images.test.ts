/** A local image server over https, with a certificate that only tests trust. */

import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";

import { drawImage } from "../../helpers/draw-image.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { runCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRow, type ProductRow, writeCsv } from "../../helpers/product-sheet.ts";

/** A key and its certificate for `localhost`. */
const CERTIFICATE = fileURLToPath(new URL("./image-server/localhost.pem", import.meta.url));

interface ImageServer {
  /** Host as `--allow-host` takes it. */
  readonly host: string;
  readonly origin: string;
  /** Requested paths, in order. */
  readonly log: readonly string[];
  /** Environment with which a program trusts the server. */
  readonly env: Readonly<Record<string, string>>;
}

async function startImageServer(answer: RequestListener): Promise<ImageServer> {
  const log: string[] = [];
  const pem = readFileSync(CERTIFICATE);
  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    log.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  return { host, origin: `https://${host}`, log, env: { NODE_EXTRA_CA_CERTS: CERTIFICATE } };
}

interface ImageStore extends TestStore {
  readonly server: ImageServer;
  /** Runs a command that trusts the image server and may connect to it. */
  readonly go: (...args: readonly string[]) => Promise<{ code: number | null; document: Document }>;
}

interface Document {
  readonly counts: Readonly<Record<string, number>>;
  readonly issues: readonly { readonly cell: string; readonly code: string }[];
  readonly more_issues: number;
  readonly warnings: readonly string[];
  readonly files: { readonly dir: string };
}

async function openImageStore(answer: Parameters<typeof startImageServer>[0]): Promise<ImageStore> {
  const shop = await openTestStore();
  const server = await startImageServer(answer);
  return {
    ...shop,
    server,
    go: async (...args) => {
      const env = { ...shop.env, ...server.env };
      const words = [...args, "--json", "--allow-host", server.host];
      const { code, out, err } = await runCatalog(words, { env, cwd: shop.folder });
      if (out === "") throw new Error(err);
      return { code, document: JSON.parse(out) };
    },
  };
}

const cellsOf = ({ issues }: Document): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`);

const isBroken = (number: number): boolean => number % 20 === 7;

describe("images", () => {
  it("are checked once for each distinct URL, and not at all the second time", async () => {
    const rows = 80;
    const distinct = 60;
    const images = await Promise.all(
      Array.from({ length: 12 }, (_, index) => drawImage(index + 1)),
    );
    const shop = await openImageStore((request, response) => {
      const number = Number(/\d+/u.exec(request.url ?? "")?.[0]);
      const bytes = images[number % images.length];
      if (isBroken(number) && number % 40 === 7) response.writeHead(404).end();
      else if (isBroken(number)) response.setHeader("content-type", "image/jpeg").end("<html>");
      // Bytes after the image change the file but not its pixels.
      else response.end(Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from(`${number}`)]));
    });
    const header = ["Görsel 1 *", "Görsel 2", "Görsel 3"] as const;
    const numberAt = (row: number, column: number): number => (row * 3 + column) % distinct;
    const sheet = Array.from({ length: rows }, (_, row): ProductRow => {
      const cells = header.map((name, column) => [
        name,
        `${shop.server.origin}/${numberAt(row, column)}.jpg`,
      ]);
      return { ...goodRow(row + 1), ...Object.fromEntries(cells) };
    });
    const file = writeCsv(shop.folder, "urunler.csv", sheet);

    const first = await shop.go("plan", file, "--images", "strict");
    const asked = shop.server.log.length;
    const second = await shop.go("plan", file, "--images", "strict");

    const expected = sheet.flatMap((_, row) =>
      ["M", "N", "O"].flatMap((letter, column) =>
        isBroken(numberAt(row, column))
          ? [
              `${letter}${row + 2} ${numberAt(row, column) % 40 === 7 ? "E_IMG_STATUS" : "E_IMG_TYPE"}`,
            ]
          : [],
      ),
    );
    expect(asked).toBe(distinct);
    expect(new Set(shop.server.log).size).toBe(distinct);
    expect(shop.server.log).toHaveLength(distinct);
    expect(expected).toHaveLength(rows * 3 * 0.05);
    for (const { document } of [first, second]) {
      const broken = cellsOf(document).filter((each) => !each.includes("W_"));
      expect(broken.length + document.more_issues).toBe(expected.length);
      expect(broken).toEqual(expected.slice(0, broken.length));
    }
    expect(second.document.warnings.join("\n")).toContain("--images-again");
  });

  it("are warned of, block their row, or are not checked, as --images says", async () => {
    const good = await drawImage(1);
    const shop = await openImageStore((request, response) => {
      if (request.url === "/good.jpg") response.end(good);
      else response.writeHead(404).end();
    });
    const at = (name: string): string => `${shop.server.origin}/${name}`;
    const file = writeCsv(shop.folder, "a.csv", [
      goodRow(1, { "Görsel 1 *": at("good.jpg") }),
      goodRow(2, { "Görsel 1 *": at("missing.jpg") }),
      goodRow(3, { "Görsel 1 *": "https://169.254.169.254/latest/meta-data" }),
    ]);

    const off = await shop.go("plan", file, "--images", "off");
    const silent = shop.server.log.length;
    const strict = await shop.go("plan", file, "--images", "strict");
    const warn = await shop.go("import", file, "--images", "warn", "--yes");

    expect([off.code, cellsOf(off.document), silent]).toEqual([0, [], 0]);
    expect([strict.code, cellsOf(strict.document)]).toEqual([
      3,
      ["M3 E_IMG_STATUS", "M4 E_URL_PRIVATE"],
    ]);
    expect([warn.code, cellsOf(warn.document)]).toEqual([
      0,
      ["M3 W_IMG_STATUS", "M4 W_URL_PRIVATE"],
    ]);
    expect(warn.document.counts).toMatchObject({ added: 3 });
    const page = readFileSync(join(warn.document.files.dir, "images.html"), "utf8");
    expect(page).toContain("M3");
    expect(page).toContain("data:image/webp;base64,");
  });

  it("from a folder are prepared, uploaded once and sent as URLs; the originals stay unchanged", async () => {
    const uploads: Promise<Buffer>[] = [];
    const shop = await openImageStore((request, response) => {
      uploads.push(buffer(request));
      response.writeHead(201, { location: `https://cdn.example${request.url}` }).end();
    });
    const original = await drawImage(3, 2_000);
    const folder = join(shop.folder, "resimler");
    mkdirSync(folder);
    writeFileSync(join(folder, "kaşık.jpg"), original);
    const upload = { put: `${shop.server.origin}/{sha256}.jpg` };
    await writeConfig(shop, { images: { upload } });
    const file = writeCsv(shop.folder, "a.csv", [
      goodRow(1, { "Görsel 1 *": "kaşık.jpg" }),
      goodRow(2, { "Görsel 1 *": "KAŞIK.JPG" }),
    ]);

    const first = await shop.go("import", file, "--images-dir", "resimler", "--yes");
    const second = await shop.go("import", file, "--images-dir", "resimler", "--yes");

    expect(first.document.counts).toMatchObject({ added: 2 });
    expect(second.document.counts).toMatchObject({ unchanged: 2 });
    expect(uploads).toHaveLength(1);
    const { width, height, format } = await sharp(await uploads[0]).metadata();
    expect([width, height, format]).toEqual([1600, 1600, "jpeg"]);
    expect(readFileSync(join(folder, "kaşık.jpg")).equals(original)).toBe(true);
    const [path] = shop.server.log;
    const sent = shop.sandbox.products().map(({ images }) => images);
    const address = `https://cdn.example${path?.replace("PUT ", "")}`;
    expect(sent).toEqual([[address], [address]]);
  });

  it("that are files are an error at their cell when no upload is configured", async () => {
    const shop = await openImageStore((_, response) => response.end());
    mkdirSync(join(shop.folder, "resimler"));
    writeFileSync(join(shop.folder, "resimler", "a.jpg"), await drawImage(1));
    const file = writeCsv(shop.folder, "a.csv", [
      goodRow(1, { "Görsel 1 *": "a.jpg" }),
      goodRow(2, { "Görsel 1 *": "b.jpg" }),
      goodRow(3, { "Görsel 1 *": "..\\a.jpg" }),
      goodRow(4, { "Görsel 1 *": "file:///etc/passwd" }),
      goodRow(5, { "Görsel 1 *": "C:\\a.jpg" }),
    ]);

    const { code, document } = await shop.go("plan", file, "--images-dir", "resimler");

    expect([code, cellsOf(document)]).toEqual([
      3,
      ["M2 E_IMG_NO_UPLOAD", "M3 E_IMG_MISSING", "M4 E_PATH", "M5 E_PATH", "M6 E_PATH"],
    ]);
  });

  it.each([
    [
      "object",
      (image: unknown) =>
        typeof image === "object" && JSON.stringify(image).startsWith('{"url":"https://'),
    ],
    ["data-uri", (image: unknown) => String(image).startsWith("data:image/jpeg;base64,/9j/")],
  ])("are sent as %s by a setting", async (send, isRight) => {
    const good = await drawImage(1);
    const shop = await openImageStore((_, response) => response.end(good));
    await writeConfig(shop, { images: { check: "strict", send } });
    const file = writeCsv(shop.folder, "a.csv", [
      goodRow(1, { "Görsel 1 *": `${shop.server.origin}/1.jpg` }),
    ]);

    const first = await shop.go("import", file, "--yes");
    const second = await shop.go("import", file, "--yes");

    expect(first.document.counts).toMatchObject({ added: 1 });
    expect(second.document.counts).toMatchObject({ unchanged: 1 });
    const [image] = shop.sandbox.products()[0]?.images ?? [];
    expect(isRight(image)).toBe(true);
  });

  it("that repeat within a product are reported, in the order of its cells", async () => {
    const [one, two] = [await drawImage(1), await drawImage(2)];
    const resaved = await sharp(one).resize(310).jpeg({ quality: 70 }).toBuffer();
    const shop = await openImageStore((request, response) => {
      const bytes = { "/1.jpg": one, "/same.jpg": one, "/again.jpg": resaved }[request.url ?? ""];
      response.end(bytes ?? two);
    });
    const at = (name: string): string => `${shop.server.origin}/${name}.jpg`;
    const file = writeCsv(shop.folder, "a.csv", [
      {
        ...goodRow(1),
        "Görsel 1 *": at("1"),
        "Görsel 2": at("2"),
        "Görsel 3": at("again"),
        "Görsel 4": at("same"),
      },
    ]);

    const { document } = await shop.go("plan", file, "--images", "strict");

    expect(cellsOf(document)).toEqual(["O2 W_IMG_ALIKE", "P2 E_IMG_TWICE"]);
  });
});
