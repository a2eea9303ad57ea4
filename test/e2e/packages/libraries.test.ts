/**
 * The packed libraries as their users have them: installed by npm from the tarball, compiled with
 * plain settings, and run on each Node of this machine.
 */

import { execFile } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { startSandbox } from "@catalog/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { packLibraries, type PackedLibrary } from "../../../.ci/package/pack-libraries.ts";
import { codeBlocks, ROOT } from "../../repo/docs/markdown.ts";

const start = promisify(execFile);

/** The oldest compiler that the declarations of zod allow, and the types of the oldest Node. */
const OLD_TOOLS = ["typescript@5.4.5", "@types/node@20.19.43"];

/** What many have in their settings. `skipLibCheck` would hide mistakes in our declarations. */
const PLAIN = { target: "es2022", module: "nodenext", outDir: "built", strict: true };

/** Leaves out what says nothing about us: a check of the compiler's own declarations. */
const QUICK = { skipDefaultLibCheck: true };

/** What the example of the client needs of Node, for a compiler that knows nothing of it. */
const WITHOUT_NODE = "declare const process: { readonly env: Record<string, string | undefined> };";

/** Ids and amounts of one library in the types of the other. */
const FITS = `import * as client from "@catalog/client/contract";
import * as mapping from "@catalog/mapping/contract";

const category: client.Id<"category"> = mapping.idSchemas.category.parse("c-1");
const price: mapping.PriceMinor = client.priceMinor.parse(19_990);
// @ts-expect-error an id of a brand is none of a category
const brand: client.Id<"category"> = mapping.idSchemas.brand.parse("b-1");
export const all = [category, price, brand];
`;

const FILES = ["client.ts", "mapping.ts", "fits.ts"];
/** The example of mapping needs a module of Node. */
const WITHOUT_NODE_FILES = ["client.ts", "fits.ts", "node.d.ts"];

const folder = mkdtempSync(join(tmpdir(), "libraries-"));
const user = join(folder, "user");
const OLD_TSC = join(user, "node_modules/typescript/bin/tsc");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
let packed: readonly PackedLibrary[] = [];

beforeAll(async () => {
  packed = await packLibraries(folder);
  makeUser(user);
  // The versions that this repository is tested with, and not those of today.
  const pinned = packed.flatMap(({ dependencies }) =>
    Object.entries(dependencies).map(([name, range]) => `${name}@${range.replace("^", "")}`),
  );
  await npmInstall(user, [...packed, ...new Set(pinned), ...OLD_TOOLS]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeUser(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify({ private: true, type: "module" }));
}

/** Installs with npm, which ends with an error where an engine does not fit the Node it runs on. */
async function npmInstall(
  cwd: string,
  what: readonly (PackedLibrary | string)[],
): Promise<readonly string[]> {
  const names = what.map((each) => (typeof each === "string" ? each : join(folder, each.filename)));
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--engine-strict"];
  const path = [...(nodes[0] === undefined ? [] : [join(nodes[0], "..")]), process.env["PATH"]];
  const env = { ...process.env, PATH: path.join(delimiter) };
  await start("npm", ["install", ...flags, ...names], { cwd, env });
  return globSync("{*,@*/*}/package.json", { cwd: join(cwd, "node_modules") })
    .map((file) => file.replace(/.package\.json$/u, ""))
    .toSorted();
}

/** Programs of Node in the path, the oldest first, each version once. */
const nodes = await findNodes();

async function findNodes(): Promise<readonly string[]> {
  const paths = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((each) => join(each, "node"))
    .filter((path) => existsSync(path));
  const versions = new Map<number, string>();
  for (const path of [...paths, process.execPath]) {
    const { stdout } = await start(path, ["-p", "process.versions.node"]);
    const major = Number.parseInt(stdout, 10);
    if (major >= 20 && !versions.has(major)) versions.set(major, path);
  }
  return [...versions].toSorted(([a], [b]) => a - b).map(([, path]) => path);
}

const exampleOf = (library: string): string =>
  codeBlocks(readFileSync(join(ROOT, "packages", library, "README.md"), "utf8"), "ts")[0] ?? "";

describe("the tarballs", () => {
  it.each([
    ["client", ["@catalog/client", "undici", "zod"]],
    [
      "mapping",
      ["@catalog/mapping", "big.js", "fastest-levenshtein", "minisearch", "numfmt", "zod"],
    ],
  ] as const)(
    "install %s alone, without sources that Node would have to strip",
    async (name, expected) => {
      const alone = join(folder, name);
      makeUser(alone);

      const installed = await npmInstall(
        alone,
        packed.filter((each) => each.name === `@catalog/${name}`),
      );

      const root = join(alone, "node_modules/@catalog", name);
      const files = globSync("**/*", { cwd: root });
      const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      const targets = Object.values<string | Record<string, string>>(manifest.exports).flatMap(
        (each) => (typeof each === "string" ? [each] : Object.values(each)),
      );
      expect(installed).toEqual(expected);
      expect(files).toEqual(
        expect.arrayContaining(["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt"]),
      );
      expect(files.filter((file) => /(?<!\.d)\.ts$/u.test(file))).toEqual([]);
      expect(targets.filter((path) => !existsSync(join(root, path)))).toEqual([]);
      expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:/u);
      expect(manifest).toMatchObject({
        license: "MIT",
        publishConfig: { access: "public", provenance: true },
      });
      const specifiers = Object.keys(manifest.exports).filter((each) => !each.endsWith(".json"));
      const imports = specifiers.map((each) => `import "${manifest.name}${each.slice(1)}";`);
      for (const node of nodes) {
        await start(node, ["--input-type=module", "--eval", imports.join("")], { cwd: alone });
      }
    },
  );

  it("name the licence of each package whose code they hold", () => {
    const notices = readFileSync(
      join(user, "node_modules/@catalog/mapping/THIRD-PARTY-NOTICES.txt"),
      "utf8",
    );

    expect(notices).toMatch(/^sanitize-html [\d.]+ \(MIT\)$/mu);
    expect(notices).toMatch(/^source-map-js [\d.]+ \(BSD-3-Clause\)$/mu);
  });
});

describe("the examples of the READMEs", () => {
  beforeAll(() => {
    const examples = [exampleOf("client"), exampleOf("mapping"), FITS];
    for (const [index, file] of FILES.entries()) {
      writeFileSync(join(user, file), examples[index] ?? "");
    }
    writeFileSync(join(user, "node.d.ts"), WITHOUT_NODE);
  });

  it.each([
    ["the oldest TypeScript", OLD_TSC, { lib: ["es2022"], types: ["node"] }, FILES],
    ["our TypeScript without types of Node", TSC, { types: [] }, WITHOUT_NODE_FILES],
  ])("compile with %s", async (_, tsc, types, files) => {
    const settings = { compilerOptions: { ...PLAIN, ...QUICK, ...types }, files };
    writeFileSync(join(user, "tsconfig.json"), JSON.stringify(settings));

    expect(await compile(tsc, user)).toBe("");
  });

  it("run on each Node of this machine", async () => {
    await using sandbox = await startSandbox({ products: 40 });
    const { baseUrl, clientKey, clientSecret, storeId } = sandbox;
    const env = {
      BASE_URL: baseUrl,
      CLIENT_KEY: clientKey,
      CLIENT_SECRET: clientSecret,
      STORE_ID: storeId,
    };

    for (const node of nodes) {
      const mapped = await start(node, ["built/mapping.js"], { cwd: user, env });
      const called = await start(node, ["built/client.js"], { cwd: user, env });

      expect([mapped.stderr, called.stderr]).toEqual(["", ""]);
      expect(called.stdout).toMatch(/^120 [0-9a-f]{24} [0-9a-f]{24} [0-9a-f]{24}\n$/u);
    }

    const { byEndpoint } = sandbox.stats();
    const count = nodes.length;
    expect(byEndpoint).toMatchObject({
      "token.create": count,
      "order.accept": count,
      "question.reply": count,
      "product.add": count,
    });
    expect(sandbox.products().filter((each) => each.product_code === "E15-128")).toHaveLength(
      count,
    );
  });
});

it("the sources use only what Node 20 has", async () => {
  expect(await compile(TSC, join(ROOT, ".ci/package/tsconfig.node-20.json"))).toBe("");
});

/** What the compiler finds wrong; empty for nothing. */
async function compile(tsc: string, project: string): Promise<string> {
  const run = start(process.execPath, [tsc, "-p", project]);
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  return stdout;
}
