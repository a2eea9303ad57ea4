import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const LEAVES = ["clock", "contract", "i18n"];
const SUBJECTS = ["client", "images", "mapping", "pricing", "runs", "sheets", "team"];
const CONNECTION = [...LEAVES, ...SUBJECTS, "connection"];

/** The packages that each package may depend on. A package that is not listed must not exist. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  i18n: [],
  contract: ["i18n"],
  sheets: ["i18n"],
  pricing: ["i18n"],
  team: ["clock", "i18n"],
  client: LEAVES,
  mapping: ["contract", "i18n", "sheets"],
  images: ["clock", "i18n"],
  // The engine has its own types: a marketplace is an adapter of them.
  runs: ["clock", "i18n", "pricing"],
  database: ["clock", "i18n", "client", "mapping", "runs", "images", "team"],
  connection: [...LEAVES, ...SUBJECTS, "database"],
  report: CONNECTION,
  exporter: CONNECTION,
  importer: [...CONNECTION, "report", "exporter"],
  jobs: [...CONNECTION, "report", "importer", "exporter"],
  console: ["clock", "i18n"],
};

const PACKAGES = Object.keys(MAY_USE);
const APPS = ["cli", "import", "export", "sync", "web", "worker", "sandbox"];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly private: boolean;
  readonly type: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readManifest = (workspace: string): Manifest =>
  JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));

const workspacesIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

const WORKSPACES = [...workspacesIn("packages"), ...workspacesIn("apps"), "test"];

const nameOf = (workspace: string): string => workspace.split("/").at(-1) ?? workspace;

function allowedFor(workspace: string): readonly string[] {
  const name = nameOf(workspace);
  if (workspace === "test") return [...PACKAGES, ...APPS];
  if (workspace === "apps/cli") return [...PACKAGES, ...APPS];
  if (workspace === "apps/sandbox") return LEAVES;
  return workspace.startsWith("apps/") ? PACKAGES : (MAY_USE[name] ?? []);
}

const workspaceOnly = (dependencies: Manifest["dependencies"] = {}): string[] =>
  Object.keys(dependencies)
    .filter((name) => name.startsWith("@catalog/"))
    .map((name) => name.slice("@catalog/".length));

describe("the repository", () => {
  it("has only the listed packages", () => {
    const known = new Set([
      ...PACKAGES.map((name) => `packages/${name}`),
      ...APPS.map((name) => `apps/${name}`),
      "test",
    ]);

    expect(WORKSPACES.filter((workspace) => !known.has(workspace))).toEqual([]);
  });

  it("has only the listed entries at its top level", () => {
    const visible = readdirSync(root).filter((name) => !name.startsWith("."));
    const grown = new Set(["node_modules", "catalog-results", "out"]);

    expect(visible.filter((name) => !grown.has(name)).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "apps",
      "docs",
      "package.json",
      "packages",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "templates",
      "test",
      "tsconfig.base.json",
      "turbo.json",
    ]);
  });

  for (const workspace of WORKSPACES) {
    describe(workspace, () => {
      const manifest = readManifest(workspace);

      it("depends only on allowed packages", () => {
        const allowed = new Set(allowedFor(workspace));

        const used = workspaceOnly(manifest.dependencies);

        expect(used.filter((name) => !allowed.has(name))).toEqual([]);
      });

      it("uses for its tests only packages that it may depend on, and a database", () => {
        const allowed = new Set([...allowedFor(workspace), "database"]);

        const used = workspaceOnly(manifest.devDependencies);

        expect(used.filter((name) => !allowed.has(name))).toEqual([]);
      });

      it("is named, private, an ES module, and has the version and licence of the root", () => {
        const { version, license } = readManifest(".");

        expect(manifest).toMatchObject({
          name: `@catalog/${nameOf(workspace)}`,
          version,
          license,
          private: true,
          type: "module",
        });
      });

      it("exports only existing files", () => {
        const files = Object.values(manifest.exports ?? {});

        expect(files.filter((file) => !existsSync(join(root, workspace, file)))).toEqual([]);
      });

      it("takes every version from the catalog", () => {
        const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

        expect(
          versions.filter(([, version]) => version !== "catalog:" && version !== "workspace:*"),
        ).toEqual([]);
      });

      it("imports only declared packages", () => {
        const declared = new Set([
          ...Object.keys(manifest.dependencies ?? {}),
          ...Object.keys(manifest.devDependencies ?? {}),
          manifest.name,
        ]);

        expect(importsOf(workspace).filter((name) => !declared.has(name))).toEqual([]);
      });

      it("uses in its sources what it declares", () => {
        const used = new Set(importsOf(workspace));
        const declared = Object.keys(manifest.dependencies ?? {});

        expect(declared.filter((name) => !used.has(name))).toEqual([]);
      });
    });
  }
});

/** Names of the packages that the sources of a package import, without Node's own. */
function importsOf(workspace: string): string[] {
  const names = new Set<string>();
  for (const file of sourceFiles(join(root, workspace))) {
    const text = readFileSync(file, "utf8");
    const found = text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*"([^".][^"]*)"/gmu);
    for (const [, specifier = ""] of found) {
      if (specifier.startsWith("node:") || !/^[@a-z]/u.test(specifier)) continue;
      const parts = specifier.split("/");
      names.add(specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? ""));
    }
  }
  return [...names];
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.tsx?$/u.test(entry.name) ? [path] : [];
  });
}
