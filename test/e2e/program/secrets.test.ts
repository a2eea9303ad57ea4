import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { filesIn, findCanaries, findInFile, findLeaks } from "../../helpers/canaries.ts";
import { drawImage } from "../../helpers/draw-image.ts";
import { openTestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { runCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRow, goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

/** Prints its environment, and an address. */
const DUMP = `
  import { writeFileSync } from "node:fs";
  writeFileSync(process.argv[2], JSON.stringify(process.env));
  console.log("https://cdn.example/1.jpg");
`;

/** A server that must receive no request, and the requests that it received. */
async function openStranger(): Promise<{
  readonly baseUrl: string;
  readonly asked: readonly string[];
}> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    asked,
    baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
  };
}

// Every test that opens a store searches its output and files for secrets; these tests prove that
// there are secrets to find, and that they would be found.
describe("secrets", () => {
  it("are in the token cache and nowhere else, however a command ends", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "a.xlsx", [
      ...goodRows(3),
      goodRow(4, { "Fiyat *": "x" }),
    ]);

    await shop.start("import", file, "--yes", "--json").finished;
    await shop.run("import", file, "--yes");
    await shop.run("runs");
    await shop.start("import", join(shop.folder, "yok.xlsx"), "--yes").finished;

    const holding = filesIn(shop.folder).filter((path) => findInFile(path).length > 0);
    expect(findCanaries(shop.sandbox.clientSecret)).toEqual(["sandbox-secret:"]);
    expect(new Set(holding.map((path) => path.replace(/-(?:wal|shm)$/u, "")))).toEqual(
      new Set([join(shop.folder, "home", "catalog.db")]),
    );
    expect(findLeaks(shop.folder)).toEqual([]);
  });

  it("are not shown when the login fails", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(1));

    const { code } = await runCatalog(["import", file, "--yes", "--json"], {
      cwd: shop.folder,
      env: { ...shop.env, CATALOG_CLIENT_SECRET: "sandbox-secret:7f3a" },
    });

    expect(code).toBe(4);
    expect(filesIn(shop.folder).flatMap(findInFile)).toEqual([]);
  });

  it("are sent to no address and no program of a folder that was not confirmed", async () => {
    const shop = await openTestStore({ breaks: { "early-token": "login proves the credentials" } });
    const stranger = await openStranger();
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(1));
    const program = join(shop.folder, "upload.mjs");
    writeFileSync(program, `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");`);
    const { clientSecret } = shop.sandbox;
    const words = ["--base-url", shop.sandbox.baseUrl, "--store-id", shop.sandbox.storeId];
    const asked = ["login", "--client-key", shop.sandbox.clientKey, "--secret-stdin", "--in-file"];
    await callCatalog([...asked, ...words], { cwd: shop.folder, env: {}, input: clientSecret });
    writeFileSync(
      join(shop.folder, "catalog.config.json"),
      JSON.stringify({
        baseUrl: stranger.baseUrl,
        clientKey: shop.sandbox.clientKey,
        images: { dir: ".", upload: { command: [process.execPath, program, "{file}"] } },
      }),
    );
    const { CATALOG_BASE_URL: _address, ...env } = shop.env;
    const commands = [
      ["plan", file],
      ["import", file, "--yes"],
      ["sync", file],
      ["export", "products", "--out", "mal.csv"],
      ["lookup", "brands", "a"],
      ["runs"],
      ["resume", "r-1"],
      ["doctor"],
    ];

    const codes: (number | null)[] = [];
    for (const command of commands) {
      for (const known of [env, {}]) {
        const { code } = await callCatalog(command, { cwd: shop.folder, env: known });
        codes.push(code);
      }
    }

    expect(new Set(codes)).toEqual(new Set([2]));
    expect(stranger.asked).toEqual([]);
    expect(filesIn(shop.folder).map((path) => basename(path))).not.toContain("ran");
  });

  it("are in the environment of no started program, not even of a confirmed one", async () => {
    const shop = await openTestStore();
    const program = join(shop.folder, "upload.mjs");
    writeFileSync(program, DUMP);
    const command = [process.execPath, program, join(shop.folder, "environment.json")];
    await writeConfig(shop, { images: { upload: { command } } });
    writeFileSync(join(shop.folder, "1.jpg"), await drawImage(1));
    const file = await writeWorkbook(shop.folder, "a.xlsx", [
      goodRow(1, { "Görsel 1 *": "1.jpg" }),
    ]);

    const planned = await shop.start("plan", file, "--images-dir", ".", "--json").finished;

    const dumped = readFileSync(join(shop.folder, "environment.json"), "utf8");
    expect([planned.code, findCanaries(dumped)]).toEqual([0, []]);
    expect(Object.keys(JSON.parse(dumped)).filter((name) => /^catalog/iu.test(name))).toEqual([]);
  });

  it("would be found in a file, in an address, and in another table of the database", async () => {
    const { folder, run } = await openTestStore();
    await run("lookup", "templates");
    const leaky = join(folder, "home", "leaky");
    mkdirSync(leaky);
    const leaks: string[] = [];
    const note = (): void => {
      leaks.push(...findLeaks(leaky).map((leak) => leak.replace(leaky, "")));
    };

    writeFileSync(join(leaky, "report.csv"), "x;?access_token=sandbox-token%3A1f2e3d4c");
    note();
    writeFileSync(join(leaky, "report.csv"), "nothing");
    writeFileSync(join(leaky, "login.json"), '{"clientSecret":"sandbox-secret:1f2e3d4c"}');
    note();
    writeFileSync(join(leaky, "login.json"), "{}");
    using database = new DatabaseSync(join(leaky, "catalog.db"));
    database.exec(
      "CREATE TABLE token (t TEXT); INSERT INTO token VALUES ('sandbox-token:1f2e3d4c')",
    );
    note();
    database.exec("CREATE TABLE run (t TEXT); INSERT INTO run VALUES ('sandbox-token:1f2e3d4c')");
    note();
    database.exec("DELETE FROM run; DELETE FROM token; VACUUM");

    expect(leaks).toEqual([
      "sandbox-token: in /report.csv",
      "sandbox-token: of table run in /catalog.db",
    ]);
  });
});
