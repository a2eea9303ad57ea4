/**
 * Packs `@catalog/client` and `@catalog/mapping` for npm: JavaScript that Node 20 runs, with
 * declarations. Packages of the workspace are compiled in, and so is what does not support Node 20;
 * every other dependency stays one, so that its users can update it.
 */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type OutputBundle, rolldown, type RolldownOutput } from "rolldown";
import { dts } from "rolldown-plugin-dts";

import { formatNotices, NOTICES } from "./third-party-notices.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What undici 7 needs. */
const NODE_RANGE = ">=20.18.1";

/** Dependencies that need a later Node than the packed libraries. */
const COMPILED_IN: ReadonlySet<string> = new Set(["p-retry", "sanitize-html"]);

/** Public modules of a library by the name of their subpath; `index` is the library itself. */
type Modules = Readonly<Record<string, string>>;

/** The libraries. Modules are sources below `packages`. */
export const LIBRARIES: Readonly<Record<string, Modules>> = {
  client: { index: "client/src/index.ts", contract: "contract/src/index.ts" },
  mapping: {
    index: "mapping/src/index.ts",
    contract: "contract/src/index.ts",
    descriptions: "mapping/src/descriptions.ts",
    testing: "mapping/src/testing.ts",
  },
};

/** A tarball, as npm reports it. */
export interface PackedLibrary {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** Size of the tarball in bytes. */
  readonly size: number;
  /** Size of its files in bytes. */
  readonly unpackedSize: number;
  /** Packages that npm installs with it, as ranges by name. */
  readonly dependencies: Ranges;
}

/** Packs each library into `out`. Throws where that cannot be done. */
export async function packLibraries(out: string): Promise<readonly PackedLibrary[]> {
  const packed: PackedLibrary[] = [];
  for (const [name, modules] of Object.entries(LIBRARIES)) {
    const folder = mkdtempSync(join(tmpdir(), `${name}-`));
    try {
      const manifest = await buildLibrary(folder, name, modules);
      mkdirSync(out, { recursive: true });
      packed.push({ ...packFolder(folder, out), dependencies: manifest.dependencies });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return packed;
}

/** Writes the files of a library into `folder`. */
async function buildLibrary(
  folder: string,
  name: string,
  modules: Modules,
): Promise<PackedManifest> {
  const dependencies = listDependencies(join(ROOT, "packages", name));
  const manifest = toManifest(name, modules, dependencies);
  const bundled = await bundle(modules, Object.keys(dependencies), join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(folder, NOTICES), formatNotices(bundled));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(ROOT, "packages", name, "README.md"), join(folder, "README.md"));
  return manifest;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly repository?: unknown;
  readonly dependencies?: Ranges;
}

interface PackedManifest extends Manifest {
  readonly dependencies: Ranges;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

type Ranges = Readonly<Record<string, string>>;

/** The packages that are not compiled in, as ranges from the installed version on. */
function listDependencies(folder: string): Ranges {
  const { dependencies = {} } = readManifest(folder);
  const ranges = Object.keys(dependencies).map((name): Ranges => {
    if (COMPILED_IN.has(name)) return {};
    const installed = join(folder, "node_modules", name);
    return name.startsWith("@catalog/")
      ? listDependencies(installed)
      : { [name]: `^${readManifest(installed).version}` };
  });
  const all = Object.entries<string>(Object.assign({}, ...ranges));
  return Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b)));
}

function toManifest(
  library: string,
  modules: Modules,
  dependencies: Ranges,
): PackedManifest & Readonly<Record<string, unknown>> {
  const { name, description, license } = readManifest(join(ROOT, "packages", library));
  // All packages of the repository have one version. npm accepts a provenance only from the
  // repository that the manifest names.
  const { version, repository } = readManifest(ROOT);
  const subpaths = Object.keys(modules).map((module) => [
    module === "index" ? "." : `./${module}`,
    { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` },
  ]);
  return {
    name,
    version,
    description,
    license,
    ...(repository !== undefined && { repository }),
    type: "module",
    sideEffects: false,
    engines: { node: NODE_RANGE },
    exports: { ...Object.fromEntries(subpaths), "./package.json": "./package.json" },
    files: ["dist", NOTICES],
    dependencies,
    publishConfig: { access: "public", provenance: true },
  };
}

const NODE_20 = join(ROOT, ".ci/package/node-20.ts");

/** Bundles the JavaScript and its declarations; returns the ids of the modules within. */
async function bundle(
  modules: Modules,
  external: readonly string[],
  dir: string,
): Promise<readonly string[]> {
  const paths = Object.entries(modules).map(([name, path]) => [name, join(ROOT, "packages", path)]);
  const input = {
    input: Object.fromEntries(paths),
    platform: "node",
    external: external.map((name) => new RegExp(`^${name}(/|$)`, "u")),
  } as const;
  const output = { dir, format: "esm", minifyInternalExports: false } as const;

  const code = await rolldown({
    ...input,
    transform: {
      target: "node20",
      inject: {
        "Promise.withResolvers": [NODE_20, "withResolvers"],
        "Map.groupBy": [NODE_20, "groupBy"],
      },
    },
  });
  const written = await code.write(output);
  await code.close();

  const types = await rolldown({
    ...input,
    plugins: [
      dts({ generator: "oxc", dtsOnly: true, tsconfig: false, cwd: ROOT }),
      { name: "declare-disposable", generateBundle: (_, files) => declareDisposable(files) },
    ],
  });
  await types.write(output);
  await types.close();
  return listModules(written);
}

/** Names the lib in which `AsyncDisposable` is, as few users have it in their settings. */
function declareDisposable(files: OutputBundle): void {
  for (const file of Object.values(files)) {
    if (file.type !== "chunk" || !file.code.includes("AsyncDisposable")) continue;
    file.code = `/// <reference lib="esnext.disposable" />\n${file.code}`;
  }
}

/** The ids of the modules of which something is left. */
const listModules = ({ output }: RolldownOutput): readonly string[] =>
  output.flatMap((file) =>
    file.type === "chunk"
      ? Object.entries(file.modules).flatMap(([id, { renderedLength }]) =>
          renderedLength > 0 ? [id] : [],
        )
      : [],
  );

function packFolder(folder: string, out: string): Omit<PackedLibrary, "dependencies"> {
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["pack", "--json", "--pack-destination", out],
    { cwd: folder, encoding: "utf8", shell: process.platform === "win32" },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const [{ name, version, filename, size, unpackedSize }] = JSON.parse(stdout);
  return { name, version, filename, size, unpackedSize };
}
