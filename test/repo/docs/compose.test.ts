/** The compose file of the documents, which no test can start: it is held against the program. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { readSources, ROOT } from "./markdown.ts";

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const FOLDER = join(ROOT, "docs/deploy");
const PATH = join(FOLDER, "compose.yaml");
const TEXT = readFileSync(PATH, "utf8");
const DOCUMENT = parseDocument(TEXT, { version: "1.1", merge: true });
const { services, volumes }: Compose = DOCUMENT.toJS();
const SERVICES = Object.entries(services);

/** Variables of PostgreSQL, of its image and of the script that makes the roles. */
const OTHERS = new Set([
  "PGPASSWORD",
  "POSTGRES_DB",
  "POSTGRES_USER",
  "POSTGRES_PASSWORD",
  "WORK_PASSWORD",
]);

/** The words after the program, of each service that starts it. */
const COMMANDS = SERVICES.flatMap(([name, { command = [] }]) =>
  command[0] === "catalog" ? [[name, command.slice(1)] as const] : [],
);

describe("docs/deploy/compose.yaml", () => {
  it("is YAML without errors or warnings, of the services that operate.md describes", () => {
    expect([...DOCUMENT.errors, ...DOCUMENT.warnings]).toEqual([]);
    expect(Object.keys(services)).toEqual([
      "database",
      "migrate",
      "worker-one",
      "worker-two",
      "page",
    ]);
    expect(COMMANDS).toHaveLength(4);
  });

  it.each(COMMANDS)("starts a command with flags that exist, as %s", async (_name, words) => {
    const [command = "", ...rest] = words;

    const { out } = await callCatalog([command, "--help", "--lang", "en"], { cwd: ROOT, env: {} });

    expect(out).toMatch(new RegExp(`^Usage: catalog ${command}\\b`, "u"));
    for (const flag of rest.filter((word) => word.startsWith("--"))) expect(out).toContain(flag);
    const actions = rest.filter((word) => /^[a-z]/u.test(word));
    for (const action of actions) expect(out).toContain(`${action}:`);
  });

  it("sets only variables that the program, PostgreSQL or its image reads", () => {
    const sources = readSources();
    const names = SERVICES.flatMap(([, { environment = {} }]) => Object.keys(environment));
    const described = [...TEXT.matchAll(/^ *#.*$/gmu)].flatMap(
      ([line]) => line.match(/CATALOG_[A-Z_]+/gu) ?? [],
    );

    const unknown = [...names, ...described].filter(
      (name) => !OTHERS.has(name) && !sources.includes(`"${name}"`),
    );

    expect(described.length).toBeGreaterThan(3);
    expect(unknown).toEqual([]);
  });

  it("holds no secret", () => {
    const values = SERVICES.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = values.filter(([name]) => /PASSWORD|SECRET|KEY|TOKEN/u.test(name));

    expect(secret.length).toBeGreaterThan(3);
    for (const [, value] of secret) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/u);
    expect(TEXT).not.toMatch(/\/\/[^/\s:@]+:[^@\s]+@/u);
  });

  it("names only files, services and volumes that exist", () => {
    for (const [, service] of SERVICES) {
      const { build, depends_on = {}, volumes: mounts = [] } = service;
      if (build !== undefined) {
        expect(existsSync(join(FOLDER, build.context, build.dockerfile))).toBe(true);
      }
      for (const other of Object.keys(depends_on)) expect(services).toHaveProperty(other);
      for (const mount of mounts) expect(volumes).toHaveProperty(mount.split(":")[0] ?? "");
    }
  });
});
