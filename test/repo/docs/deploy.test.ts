/** The files of `docs/deploy`, held against the program; what a shell runs there is run. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { ROOT } from "./markdown.ts";

const FOLDER = join(ROOT, "docs/deploy");
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

const DOCKERFILE = read("Dockerfile").replaceAll("\\\n", "");
const CRONTAB = read("crontab");
const UNITS = readdirSync(FOLDER).filter((name) => /\.(?:service|timer)$/u.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));

/** Whether this machine has systemd's own check of units. */
const hasVerifier = spawnSync("systemd-analyze", ["--version"]).status === 0;

/** The settings of a unit. */
const linesOf = (unit: string): readonly string[] =>
  read(unit)
    .split("\n")
    .filter((line) => /^\w+=/u.test(line));

/** The script of a setting that runs a shell. systemd takes two dollar signs for one. */
function scriptOf(unit: string, setting: string): string {
  const found = new RegExp(`^${setting}=/bin/sh -c '(.+)'$`, "mu").exec(read(unit))?.[1];
  return (found ?? "exit 9").replaceAll("$$", "$").replaceAll(String.raw`\'`, "'");
}

/** The lines of cron that start a command of the program, also those that are only offered. */
const cronLines = (command: string): readonly string[] =>
  CRONTAB.split("\n")
    .map((line) => line.replace(/^#(?=[\d*@])/u, "").replace(/^(?:@\w+|(?:\S+ ){5})\s*/u, ""))
    .filter((line) => line.startsWith("cd ") && line.includes(`catalog ${command}`));

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

interface FakeCatalog {
  readonly out?: string;
  readonly code?: number;
}

/** Runs a script whose `catalog` prints a text and ends with a code; its paths are in a folder. */
function runScript(shell: string, script: string, { out = "", code = 0 }: FakeCatalog) {
  const folder = createFolder();
  const program = join(folder, "bin", "catalog");
  mkdirSync(join(folder, "bin"));
  writeFileSync(program, `#!/bin/sh\nprintf '%s' '${out}'\nexit ${code}\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "sync.env"), "FEED='a b.csv'\nALARM='echo called'\n");
  const placed = script
    .replaceAll("/usr/local/bin/catalog", "catalog")
    .replaceAll("/var/lib/catalog", folder)
    .replaceAll("/etc/catalog/", `${folder}/`);
  const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  return spawnSync(shell, ["-c", placed], { cwd: folder, encoding: "utf8", env });
}

/** The commands of the program in a text: their words, up to what belongs to the shell. */
const startedIn = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/(?:\/usr\/local\/bin\/|exec |&& |\$\()catalog ([a-z][^;|&>)\n]*)/gu)].map(
    ([, words = ""]) => words.trim().split(/\s+/u),
  );

const STARTED = [DOCKERFILE, CRONTAB, ...SERVICES.map(read)].flatMap(startedIn);

describe("docs/deploy", () => {
  it.each(STARTED.map((words) => [words.join(" "), words] as const))(
    "starts a command with flags that exist: %s",
    async (_line, [command = "", ...words]) => {
      const { out } = await callCatalog([command, "--help", "--lang", "en"], {
        cwd: ROOT,
        env: {},
      });

      expect(out).toMatch(new RegExp(`^Usage: catalog ${command}\\b`, "u"));
      const flags = words.map((word) => word.replaceAll(/["\\]/gu, ""));
      const own = flags.filter((word) => word.startsWith("--") && word !== "--log-format");
      for (const flag of own) expect(out).toContain(flag);
    },
  );

  it("starts a sync, a worker, a health check and the page for a team", () => {
    const names = STARTED.map(([command]) => command);

    expect(new Set(names)).toEqual(new Set(["alerts", "schedule", "sync", "web", "worker"]));
    expect(names.length).toBeGreaterThan(7);
  });
});

describe("the Dockerfile", () => {
  it("installs the package, on the Node that the repository pins", () => {
    const { name } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const workspace = readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8");
    const node = /^nodeVersion: (\S+)$/mu.exec(workspace)?.[1];
    const copied = [...DOCKERFILE.matchAll(/^COPY (\S+)/gmu)].map(([, path]) => path);

    expect(DOCKERFILE).toContain(`FROM node:${node}-`);
    expect(copied).toEqual([`out/${name}-*.tgz`]);
    expect(read("Dockerfile.dockerignore").match(/^!.+$/gmu)).toEqual([`!${copied[0]}`]);
  });

  it("runs without the rights of root", () => {
    const users = [...DOCKERFILE.matchAll(/^USER (\S+)$/gmu)].map(([, user]) => user);

    expect(users).toEqual(["node"]);
    expect(DOCKERFILE.indexOf("\nUSER ")).toBeLessThan(DOCKERFILE.indexOf("\nCMD "));
  });
});

const HEALTH_CHECKS = [
  ["the image", /^HEALTHCHECK .*?CMD (.+)$/mu.exec(DOCKERFILE)?.[1] ?? "exit 9"],
  ["systemd", scriptOf("catalog-health.service", "ExecStart")],
  ["cron", cronLines("schedule list")[0] ?? "exit 9"],
] as const;

/** What `schedule list --json` prints. */
const list = (...healthy: readonly boolean[]): string =>
  JSON.stringify({ schedules: healthy.map((each) => ({ feed: "healthy", healthy: each })) });

describe.each(HEALTH_CHECKS)("the health check of %s", (place, script) => {
  const quoting = JSON.stringify({ schedules: [{ message: '"healthy":false', healthy: true }] });

  it.each([
    ["nothing is scheduled", { out: list() }, true],
    ["every schedule does its job", { out: list(true, true) }, true],
    ["one of them does not", { out: list(true, false, true) }, false],
    ["a message only quotes it", { out: quoting }, true],
    ["the command fails", { code: 2 }, false],
    ["the command is killed", { out: list(true), code: 137 }, false],
  ] as const)("tells what it finds where %s", (_case, catalog, isHealthy) => {
    const { status, stdout } = runScript("sh", script, catalog);

    // cron does not look at exit codes: the line calls a person itself.
    const found = place === "cron" ? !stdout.includes("called\n") : status === 0;
    expect(found).toBe(isHealthy);
  });
});

describe("the sync of cron", () => {
  const [line = ""] = cronLines("sync");

  it.each(["sh", "bash"])("calls a person by %s for an exit code that needs one", (shell) => {
    const codes = [0, 5, 75, 1, 2, 3, 4, 6, 130];

    const told = codes.map((code) => [code, runScript(shell, line, { code }).stdout] as const);

    expect(told).toEqual(
      codes.map((code) => [
        code,
        [0, 5, 75].includes(code) ? "" : `catalog sync ended with ${code}: sync.log\ncalled\n`,
      ]),
    );
  });

  it("says it where the settings cannot be read", () => {
    const { stderr } = runScript("sh", line.replace("sync.env", "none.env"), {});

    // The shell ends there; cron sends what it has printed.
    expect(stderr).toContain("none.env");
  });
});

describe.skipIf(!hasVerifier)("systemd", () => {
  it.each(UNITS)("takes %s", (name) => {
    const folder = createFolder();
    for (const unit of UNITS) {
      // Here nothing is installed where the units expect it.
      const text = read(unit).replaceAll(/^ExecStart=\S+/gmu, "ExecStart=/bin/true");
      writeFileSync(join(folder, unit), text);
    }
    const unit = join(folder, name.replace("@.", "@catalog-sync."));

    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the services", () => {
  it("share their settings, folders and limits", () => {
    const own =
      /^(?:Type|Description|Wants|After|OnFailure|SuccessExitStatus|Exec\w+|KillSignal|TimeoutStopSec)=/u;
    const shared = linesOf("catalog-sync.service").filter((line) => !own.test(line));

    expect(shared.length).toBeGreaterThan(10);
    for (const unit of ["catalog-worker.service", "catalog-health.service"]) {
      expect(linesOf(unit)).toEqual(expect.arrayContaining([...shared]));
    }
  });

  it.each(["catalog-sync.service", "catalog-health.service"])(
    "raise the alarm where %s fails, and it has a timer",
    (unit) => {
      expect(linesOf(unit)).toContain("OnFailure=catalog-alarm@%p.service");
      expect(existsSync(join(FOLDER, "catalog-alarm@.service"))).toBe(true);
      expect(linesOf(unit.replace(".service", ".timer"))).toContain(`Unit=${unit}`);
    },
  );

  it("call the command of the settings as alarm, and write an error to the journal", () => {
    const script = scriptOf("catalog-alarm@.service", "ExecStart").replaceAll("%i", "catalog-sync");
    const alarm = (env: NodeJS.ProcessEnv) =>
      spawnSync("/bin/sh", ["-c", script], {
        env: { PATH: process.env["PATH"], ...env },
        encoding: "utf8",
      });

    const [called, silent] = [alarm({ ALARM: 'echo "to $((1 + 1))"' }), alarm({})];

    expect([called.stdout, silent.stdout]).toEqual(["to 2\n", ""]);
    expect([called.status, silent.status]).toEqual([0, 0]);
    expect(silent.stderr).toMatch(/^<3>catalog-sync fails: /u);
  });

  it("of the worker is one that stays, and is started again for as long as it fails", () => {
    expect(linesOf("catalog-worker.service")).toEqual(
      expect.arrayContaining([
        "Type=simple",
        "Restart=on-failure",
        "RestartSec=60",
        "StartLimitIntervalSec=0",
        "KillMode=mixed",
      ]),
    );
    // After each failure, as the worker ends with 2 also where PostgreSQL was lost.
    expect(read("catalog-worker.service")).not.toContain("RestartPreventExitStatus");
  });

  it("of the sync takes for no failure: rows to look at, another sync at work, and a stop", () => {
    expect(linesOf("catalog-sync.service")).toContain("SuccessExitStatus=5 75 130");
  });

  it("of the sync fails once where every sync of 12 hours left rows to look at, then once a day", () => {
    const script = scriptOf("catalog-sync.service", "ExecStopPost");
    const folder = createFolder();
    const end = (status: number): readonly [number | null, boolean] => {
      const ended = spawnSync("/bin/sh", ["-c", script], {
        env: { PATH: process.env["PATH"], EXIT_STATUS: String(status), CATALOG_HOME: folder },
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
