/**
 * Tries each step of `docs/deploy/Dockerfile` without a container engine: in an empty Debian, made by
 * debootstrap, with Node where the base image has it. `node test/safety/soak/try-image.ts`, as root,
 * after `npm run package`; it needs the network for the packages of Debian and of npm. Then it runs
 * the sync of the image against the local marketplace of the image, and its health check before and
 * after the feed is gone.
 */

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const image = mkdtempSync(join(tmpdir(), "catalog-image-"));
const instructions = readFileSync(join(ROOT, "docs/deploy/Dockerfile"), "utf8")
  .replaceAll("\\\n", "")
  .split("\n")
  .filter((line) => /^[A-Z]/u.test(line))
  .map((line) => /^(\w+)\s+(.+)$/u.exec(line) ?? [])
  .map(([, name = "", rest = ""]) => ({ name, rest }));

/** What the instructions so far have set. */
const environment: Record<string, string> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};
let user = "0:0";
let folder = "/";

/** The words that run a script in the image, as its user, in its folder. */
const inImage = (script: string): readonly string[] => [
  `--userspec=${user}`,
  image,
  "/bin/sh",
  "-c",
  `cd ${folder} && ${script}`,
];

/** Of Debian, or those of this machine where it trusts others for the registry. */
const CERTIFICATES = "etc/ssl/certs/ca-certificates.crt";

const say = (text: string): void => console.log(text);

/** Where the base image has Node: the pinned one, with the npm of this machine, and a user of 1000. */
function prepareBase(): void {
  chmodSync(image, 0o755);
  const mirror = "http://deb.debian.org/debian";
  const flags = ["--variant=minbase", "--include=ca-certificates", "bookworm", image, mirror];
  execFileSync("debootstrap", flags, { stdio: ["ignore", "ignore", "inherit"] });
  const modules = join(image, "usr/local/lib/node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(process.execPath), join(image, "usr/local/bin/node"));
  const npm = realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim());
  cpSync(dirname(dirname(npm)), join(modules, "npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(image, "usr/local/bin/npm"));
  cpSync("/etc/resolv.conf", join(image, "etc/resolv.conf"));
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  if (certificates !== undefined) cpSync(certificates, join(image, CERTIFICATES));
  // As every container has it. The reader of workbooks needs it.
  execFileSync("mount", ["-t", "proc", "proc", join(image, "proc")]);
  execFileSync("chroot", [image, "useradd", "--uid", "1000", "--create-home", "node"]);
}

/** What each instruction does here. Those that say how the image is run are read later. */
const STEPS: Readonly<Record<string, (rest: string) => void>> = {
  FROM: prepareBase,
  COPY(rest) {
    const [pattern = "", target = ""] = rest.split(" ");
    const found = globSync(pattern, { cwd: ROOT });
    assert.equal(found.length, 1, `${pattern} names one file`);
    for (const path of found) cpSync(join(ROOT, path), join(image, target, basename(path)));
  },
  ENV(rest) {
    for (const [, key = "", quoted, plain] of rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/gu)) {
      environment[key] = quoted ?? plain ?? "";
    }
  },
  RUN(rest) {
    const env = { ...environment, NODE_EXTRA_CA_CERTS: `/${CERTIFICATES}` };
    execFileSync("chroot", inImage(rest), { env, stdio: "inherit" });
  },
  USER(rest) {
    assert.equal(rest, "node");
    user = "1000:1000";
  },
  WORKDIR(rest) {
    folder = rest;
  },
  CMD: () => undefined,
  HEALTHCHECK: () => undefined,
  VOLUME: () => undefined,
};

function runStep({ name, rest }: (typeof instructions)[number]): void {
  say(`${name} ${rest}`);
  const step = STEPS[name] ?? assert.fail(`${name} is not known here`);
  step(rest);
}

const start = (script: string, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn("chroot", inImage(`exec ${script}`), {
    env: { ...environment, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });

/** Opens the local marketplace of the image; the settings lead to it. */
async function openMarketplace(): Promise<{ child: ChildProcess; env: NodeJS.ProcessEnv }> {
  const child = start("catalog sandbox --json");
  const [line] = await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
  const found = JSON.parse(String(line));
  const env = {
    CATALOG_BASE_URL: found.base_url,
    CATALOG_CLIENT_KEY: found.client_key,
    CATALOG_CLIENT_SECRET: found.client_secret,
    CATALOG_STORE_ID: found.store_id,
    CATALOG_LANG: "en",
  };
  return { child, env };
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
}

const textOf = (wanted: string): string =>
  instructions.find(({ name }) => name === wanted)?.rest ?? assert.fail(wanted);

function isHealthy(env: NodeJS.ProcessEnv): boolean {
  const [, script = ""] = /CMD (.+)$/u.exec(textOf("HEALTHCHECK")) ?? [];
  return spawnSync("chroot", inImage(script), { env: { ...environment, ...env } }).status === 0;
}

async function trySync(): Promise<void> {
  const marketplace = await openMarketplace();
  const { env } = marketplace;
  const feed = join(image, "feeds/stock.csv");
  const run = (script: string): string =>
    execFileSync("chroot", inImage(script), { env: { ...environment, ...env }, encoding: "utf8" });
  say(run("id -u && catalog --version && catalog doctor"));
  cpSync(toAbsolutePath(SOURCE_PATHS.sampleWorkbook), join(image, "tmp/sample.xlsx"));
  // The sample has rows with mistakes.
  run("catalog import /tmp/sample.xlsx --yes --report /tmp/results || [ $? = 5 ]");
  run("catalog export products --columns product_code,stock --out /tmp/stock.csv");
  cpSync(join(image, "tmp/stock.csv"), feed);
  writeFileSync(feed, readFileSync(feed, "utf8").replace(/,\d+(?=\r?\n)/u, ",7"));
  assert.equal(isHealthy({ ...env, CATALOG_CLIENT_SECRET: "" }), false, "a wrong setting shows");

  const words: unknown = JSON.parse(textOf("CMD"));
  const command = Array.isArray(words) ? String(words.at(-1)).replace(/^exec /u, "") : "";
  const sync = start(`${command} --unhealthy-after 2m`, { ...env, EVERY: "* * * * *" });
  await wait(75_000);
  const first = isHealthy(env);
  rmSync(feed);
  await wait(150_000);
  const last = isHealthy(env);
  const code = await stop(sync);
  await stop(marketplace.child);

  say(JSON.stringify({ healthyWithFeed: first, healthyWithout: last, exitAfterStop: code }));
  assert.deepEqual([first, last, code], [true, false, 0]);
}

try {
  for (const instruction of instructions) runStep(instruction);
  say(
    execFileSync("du", ["-sh", join(image, "usr/local/lib/node_modules/catalog-toolkit")], {
      encoding: "utf8",
    }),
  );
  await trySync();
} finally {
  // A folder that is still mounted must not be emptied: a failure ends it here.
  if (readdirSync(join(image, "proc")).length > 0) execFileSync("umount", [join(image, "proc")]);
  rmSync(image, { recursive: true, force: true });
}
