import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { SOURCE_PATHS } from "../../../test/helpers/source-paths.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");

const DOCKERFILE = read(SOURCE_PATHS.syncDockerfile);
/** Whether this machine has systemd's own check of units. */
const hasVerifier = spawnSync("systemd-analyze", ["--version"]).status === 0;
const HOME = "/opt/catalog/";

/** Programs of the repository that a text names by their installed paths. */
const installedIn = (text: string): readonly string[] =>
  [...text.matchAll(/\/opt\/catalog\/([\w./-]+\.js)\b/gu)].map(([, path = ""]) => path);

/** The settings of a unit. */
const linesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => /^\w+=/u.test(line));

/** Paths that a build of the image copies from the repository. */
const copied = [...DOCKERFILE.matchAll(/^COPY (.+) \S+$/gmu)].flatMap(([, list = ""]) =>
  list.split(" "),
);

const isCopied = (file: string): boolean =>
  copied.some((path) => file === path || file.startsWith(`${path}/`));

describe("the Dockerfile", () => {
  it("copies only existing paths", () => {
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it("copies the manifest of every package, without which the frozen lockfile is refused", () => {
    const manifests = globSync(["{apps,packages}/*/package.json", "test/package.json"], {
      cwd: ROOT,
    });

    expect(manifests.length).toBeGreaterThan(10);
    expect(manifests.filter((manifest) => !isCopied(manifest))).toEqual([]);
  });

  it("starts a program that it has copied", () => {
    const started = installedIn(DOCKERFILE);

    expect(started).toHaveLength(1);
    expect(started.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
    expect(copied).toContain(started[0]?.split("/")[0]);
  });

  it("has the versions of Node and pnpm that the repository pins", () => {
    const { packageManager } = JSON.parse(read("package.json"));
    const node = /^nodeVersion: (\S+)$/mu.exec(read("pnpm-workspace.yaml"))?.[1];

    expect(DOCKERFILE).toContain(`npm install --global ${packageManager}\n`);
    expect(DOCKERFILE).toContain(`FROM node:${node}-`);
  });
});

describe.each([SOURCE_PATHS.syncService, SOURCE_PATHS.workerService])("the unit %s", (path) => {
  it("starts an existing program", () => {
    const service = read(path);
    const command = /^ExecStart=(.+)$/mu.exec(service)?.[1] ?? "";

    expect(command).toContain(`${HOME}node_modules/.bin/node `);
    expect(installedIn(command).filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
    expect(installedIn(command)).toHaveLength(1);
  });

  it.skipIf(!hasVerifier)("is one that systemd takes", () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-deploy-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const unit = join(folder, basename(path));
    // Here nothing is installed where the unit expects it.
    writeFileSync(unit, read(path).replaceAll(/^ExecStart=\S+/gmu, "ExecStart=/bin/true"));
    writeFileSync(join(folder, "catalog-sync-failed.service"), "[Service]\nExecStart=/bin/true\n");

    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the service of the worker", () => {
  const service = read(SOURCE_PATHS.workerService);

  it("is a worker that stays, and is started again for as long as it fails", () => {
    expect(linesOf(service)).toEqual(
      expect.arrayContaining([
        "Type=simple",
        "Restart=on-failure",
        "RestartSec=60",
        "StartLimitIntervalSec=0",
        "KillMode=mixed",
      ]),
    );
    expect(service).toMatch(/^ExecStart=\S+ \S+ worker$/mu);
    // After each failure, as the worker ends with 2 also where PostgreSQL was lost.
    expect(service).not.toContain("RestartPreventExitStatus");
  });

  it("has the settings, the folder and the limits of the sync", () => {
    const own = /^(?:Type|Description|Documentation|OnFailure|SuccessExitStatus|Exec\w+)=/u;
    const shared = linesOf(read(SOURCE_PATHS.syncService)).filter((line) => !own.test(line));

    expect(shared.length).toBeGreaterThan(12);
    expect(linesOf(service)).toEqual(expect.arrayContaining([...shared]));
  });
});

describe("the service of the sync", () => {
  it("starts the unit that raises an alarm when it fails", () => {
    const service = read(SOURCE_PATHS.syncService);
    const [, alarm = ""] = /^OnFailure=(.+)$/mu.exec(service) ?? [];

    const started = read(`apps/sync/deploy/${alarm}`);

    expect(started).toMatch(/^ExecStart=\/bin\/sh -c '.+"\$\$ALARM"'$/mu);
  });

  it("fails once where every sync of 12 hours has left rows to look at, then once a day", () => {
    const service = read(SOURCE_PATHS.syncService);
    // systemd takes two dollar signs for one.
    const script = /^ExecStopPost=\/bin\/sh -c '(.+)'$/mu.exec(service)?.[1]?.replaceAll("$$", "$");
    const folder = mkdtempSync(join(tmpdir(), "catalog-deploy-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const end = (status: number): readonly [number | null, boolean] => {
      const ended = spawnSync("/bin/sh", ["-c", script ?? "exit 9"], {
        env: { PATH: process.env["PATH"], EXIT_STATUS: String(status), STATE_DIRECTORY: folder },
        encoding: "utf8",
      });
      return [ended.status, ended.stderr.startsWith("<4>Every sync of 12 hours")];
    };
    const age = (hours: number, name = "unsettled"): void => {
      const atSeconds = Date.now() / 1_000 - hours * 3_600;
      utimesSync(join(folder, name), atSeconds, atSeconds);
    };

    const first = end(5);
    age(11);
    const second = end(5);
    age(13);
    const late = [end(5), end(75), end(5), end(5)];
    age(25, "unsettled-told");
    const nextDay = [end(5), end(5)];
    const settled = [end(0), end(5)];
    age(13);
    const again = end(5);

    const quiet = [0, false];
    const failed = [1, true];
    const warned = [0, true];
    expect({ first, second, late, nextDay, settled, again }).toEqual({
      first: quiet,
      second: quiet,
      late: [failed, quiet, warned, warned],
      nextDay: [failed, warned],
      settled: [quiet, quiet],
      again: failed,
    });
  });
});
