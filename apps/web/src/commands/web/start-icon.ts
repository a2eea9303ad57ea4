/**
 * The icon that starts the page without a terminal: on the desktop and in the menu of programs, as a
 * file of the system's own kind. What was written is recorded, so that it is removed exactly.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

import { UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";

import { createIcns, createIco, ICON_SVG } from "./icon-image.ts";
import { noShortcut } from "./texts.ts";

/** What differs from one computer to another. */
export interface IconSystem {
  readonly platform: NodeJS.Platform;
  /** Folder of the person. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a program of the system; `undefined` where there is none, or it fails. */
  readonly run: (
    program: string,
    words: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>;
}

/** What the icon starts. */
export interface IconTarget {
  /** The program and its words, as the system starts it without a shell. */
  readonly words: readonly string[];
  /** Folder that it starts in. */
  readonly folder: string;
  readonly isDemo: boolean;
}

/** Only ASCII, as a shortcut of Windows takes no other letters from everybody. */
const NAME = "Catalog Toolkit";
const DESCRIPTION: Localized = {
  tr: "Dosyaları tarayıcıda denetleyip gönderir",
  en: "Checks and sends files in the browser",
};

const nameOf = ({ isDemo }: Pick<IconTarget, "isDemo">): string => (isDemo ? `${NAME} Demo` : NAME);

const idOf = ({ isDemo }: Pick<IconTarget, "isDemo">): string =>
  isDemo ? "catalog-toolkit-demo" : "catalog-toolkit";

/** A file to write, or a link to another one. */
type IconFile =
  | { readonly path: string; readonly content: string | Uint8Array; readonly mode?: number }
  | { readonly path: string; readonly linkTo: string };

/** Writes the files of this system, and returns the paths of what a person can see and click. */
export async function writeIcon(
  system: IconSystem,
  target: IconTarget,
  recordPath: string,
): Promise<readonly string[]> {
  await removeIcon(recordPath);
  const files = await FILES[system.platform === "win32" ? "win32" : kindOf(system)](system, target);
  const made: string[] = [];
  // Recorded before anything is written, so that a process that is killed leaves nothing unknown.
  await writeRecord(recordPath, files.map(toEntry));
  for (const file of files) await writeIconFile(file);
  if (system.platform === "win32") made.push(...(await writeShortcuts(system, target, recordPath)));
  else made.push(...toShown(files.map(({ path }) => path)));
  if (system.platform === "linux") await trustLaunchers(system, made);
  return made;
}

const kindOf = ({ platform }: IconSystem): "darwin" | "linux" =>
  platform === "darwin" ? "darwin" : "linux";

/** What a person clicks, rather than what it consists of. */
const toShown = (paths: readonly string[]): readonly string[] => {
  const whole = paths.map((path) => path.replace(/(\.app)[/\\].*$/u, "$1"));
  return [...new Set(whole)].filter((path) => /\.(?:desktop|app|lnk)$/u.test(path));
};

const FILES: Readonly<
  Record<
    "linux" | "darwin" | "win32",
    (system: IconSystem, target: IconTarget) => Promise<readonly IconFile[]>
  >
> = { linux: linuxFiles, darwin: darwinFiles, win32: windowsFiles };

/** Entries as the Desktop Entry and XDG specifications have them. */
async function linuxFiles(system: IconSystem, target: IconTarget): Promise<readonly IconFile[]> {
  const { home, env } = system;
  const data = env["XDG_DATA_HOME"] || join(home, ".local/share");
  const icon = join(data, "icons/hicolor/scalable/apps", `${idOf(target)}.svg`);
  const content = formatEntry(target, icon);
  const name = `${idOf(target)}.desktop`;
  const desktop = await findDesktop(system);
  return [
    { path: icon, content: ICON_SVG },
    { path: join(data, "applications", name), content, mode: 0o755 },
    ...(desktop === undefined
      ? []
      : [{ path: join(desktop, name), content, mode: 0o755 } as const]),
  ];
}

function formatEntry(target: IconTarget, icon: string): string {
  const lines = [
    "[Desktop Entry]",
    "Type=Application",
    "Version=1.0",
    `Name=${nameOf(target)}`,
    `Comment=${DESCRIPTION.en}`,
    `Comment[tr]=${DESCRIPTION.tr}`,
    `Exec=${target.words.map(quoteExec).join(" ")}`,
    `Path=${escapeValue(target.folder)}`,
    `Icon=${escapeValue(icon)}`,
    "Terminal=false",
    "StartupNotify=false",
    "Categories=Office;",
  ];
  return `${lines.join("\n")}\n`;
}

/** A string of an entry: the backslash begins an escape, and blanks at its start would be lost. */
const escapeValue = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r")
    .replace(/^ /u, "\\s");

/** A word of `Exec`: quoted for the command, with `%` doubled, and then escaped as a string. */
const quoteExec = (word: string): string => {
  const quoted = `"${word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll("%", "%%")}"`;
  return escapeValue(quoted);
};

/** As the system writes it: the value is quoted, and begins with `$HOME` or is absolute. */
const DESKTOP_LINE = /^XDG_DESKTOP_DIR="((?:[^"\\]|\\.)*)"/u;

/** The folder of the desktop, whatever it is called in the language of the system. */
async function findDesktop({ home, env }: IconSystem): Promise<string | undefined> {
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const text = await readFile(join(config, "user-dirs.dirs"), "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => DESKTOP_LINE.exec(line.trim())?.[1]);
  const set = lines.find((line) => line !== undefined);
  const given = set?.replaceAll(/\\(.)/gu, "$1").replace(/^\$HOME(?=\/|$)/u, home);
  const folder = given ?? join(home, "Desktop");
  // A system without a desktop names the home itself.
  const isDesktop = isAbsolute(folder) && resolve(folder) !== resolve(home);
  return isDesktop && existsSync(folder) ? folder : undefined;
}

/** GNOME starts an entry of the desktop only once it is marked; other desktops need the mode alone. */
async function trustLaunchers({ run }: IconSystem, paths: readonly string[]): Promise<void> {
  for (const path of paths) await run("gio", ["set", path, "metadata::trusted", "true"]);
}

const PLIST_HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
`;

/** A bundle in the person's programs, and a link to it on the desktop. */
async function darwinFiles({ home }: IconSystem, target: IconTarget): Promise<readonly IconFile[]> {
  const name = `${nameOf(target)}.app`;
  const bundle = join(home, "Applications", name);
  const inside = (path: string): string => join(bundle, "Contents", path);
  const desktop = join(home, "Desktop");
  return [
    { path: inside("Info.plist"), content: formatPlist(target) },
    { path: inside("Resources/icon.icns"), content: createIcns() },
    { path: inside("MacOS/start"), content: formatLauncher(target), mode: 0o755 },
    ...(existsSync(desktop) ? [{ path: join(desktop, name), linkTo: bundle }] : []),
  ];
}

function formatPlist(target: IconTarget): string {
  const values = {
    CFBundleName: nameOf(target),
    CFBundleIdentifier: `page.${idOf(target)}`,
    CFBundleExecutable: "start",
    CFBundleIconFile: "icon",
    CFBundlePackageType: "APPL",
    CFBundleInfoDictionaryVersion: "6.0",
    CFBundleShortVersionString: "1.0",
  };
  const lines = Object.entries(values).map(
    ([key, value]) => `  <key>${key}</key>\n  <string>${value}</string>\n`,
  );
  // Without a window of its own, it needs no place in the dock.
  return `${PLIST_HEAD}${lines.join("")}  <key>LSUIElement</key>\n  <true/>\n</dict>\n</plist>\n`;
}

/**
 * The program goes on in the background and this script ends: the system would otherwise take the
 * icon's program for running, and open nothing when it is clicked again.
 */
const formatLauncher = ({ folder, words }: IconTarget): string =>
  [
    "#!/bin/sh",
    `cd ${quoteShell(folder)} || exit 1`,
    `nohup ${words.map(quoteShell).join(" ")} >/dev/null 2>&1 </dev/null &`,
    "",
  ].join("\n");

const quoteShell = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const windowsFolder = ({ home, env }: IconSystem): string =>
  join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "catalog-toolkit");

/** The program's own folder may have any letters, so a script has them, and the shortcut has none. */
async function windowsFiles(system: IconSystem, target: IconTarget): Promise<readonly IconFile[]> {
  const folder = windowsFolder(system);
  return [
    { path: join(folder, "icon.ico"), content: createIco() },
    { path: join(folder, `${idOf(target)}.cmd`), content: formatScript(target) },
  ];
}

/** Code page 65001 is UTF-8; it holds for the lines after it. */
const formatScript = ({ folder, words }: IconTarget): string =>
  [
    "@echo off",
    "chcp 65001 >nul",
    `cd /d ${quoteScript(folder)}`,
    words.map(quoteScript).join(" "),
    "",
  ].join("\r\n");

/** No path of Windows has a quote; within quotes, a script reads nothing but `%`. */
const quoteScript = (word: string): string => `"${word.replaceAll("%", "%%")}"`;

/**
 * Makes the shortcuts through the system's own object. The values come in the environment, which has
 * all letters and needs no quotes. `conhost --headless` runs a program of the console without a
 * window: PowerShell would show one for a moment, and Windows is giving up VBScript.
 */
const SHORTCUT_SCRIPT = `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$shell = New-Object -ComObject WScript.Shell
foreach ($place in 'Desktop', 'Programs') {
  $folder = $shell.SpecialFolders.Item($place)
  if (-not $folder) { continue }
  $link = $shell.CreateShortcut((Join-Path $folder ($env:CATALOG_ICON_NAME + '.lnk')))
  $link.TargetPath = Join-Path $env:SystemRoot 'System32\\conhost.exe'
  $link.Arguments = $env:CATALOG_ICON_WORDS
  $link.IconLocation = $env:CATALOG_ICON_IMAGE
  $link.Description = $env:CATALOG_ICON_TEXT
  $link.WindowStyle = 7
  $link.Save()
  Write-Output $link.FullName
}
`;

async function writeShortcuts(
  system: IconSystem,
  target: IconTarget,
  recordPath: string,
): Promise<readonly string[]> {
  // The shell that reads the script puts in the folder, whose letters the shortcut might not take.
  const script = `%LOCALAPPDATA%\\catalog-toolkit\\${idOf(target)}.cmd`;
  const output = await system.run(
    "powershell.exe",
    ["-NoProfile", "-NonInteractive", "-Command", SHORTCUT_SCRIPT],
    {
      CATALOG_ICON_NAME: nameOf(target),
      CATALOG_ICON_WORDS: `--headless cmd.exe /d /c call "${script}"`,
      CATALOG_ICON_IMAGE: "%LOCALAPPDATA%\\catalog-toolkit\\icon.ico,0",
      CATALOG_ICON_TEXT: NAME,
    },
  );
  const links = (output ?? "").split(/\r?\n/u).filter((line) => line.trim() !== "");
  if (output === undefined || links.length === 0) throw new UsageError(noShortcut);
  const known = await readRecord(recordPath);
  const entries: IconEntry[] = [];
  for (const path of links) entries.push({ path, state: await readState(path) });
  await writeRecord(recordPath, [...known, ...entries]);
  return links;
}

async function writeIconFile(file: IconFile): Promise<void> {
  await mkdir(dirname(file.path), { recursive: true });
  if ("linkTo" in file) {
    await rm(file.path, { force: true });
    await symlink(file.linkTo, file.path);
    return;
  }
  const next = `${file.path}.new`;
  await writeFile(next, file.content);
  if (file.mode !== undefined) await chmod(next, file.mode);
  await rename(next, file.path);
}

/** What stands at a path: the hash of a file, or where a link leads. */
interface IconEntry {
  readonly path: string;
  /** `null` where it could not be read. */
  readonly state: string | null;
}

const toEntry = (file: IconFile): IconEntry => ({
  path: file.path,
  state: "linkTo" in file ? `link:${file.linkTo}` : hashOf(file.content),
});

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

async function readState(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? `link:${await readlink(path)}` : hashOf(await readFile(path));
  } catch {
    return null;
  }
}

async function readRecord(path: string): Promise<readonly IconEntry[]> {
  try {
    const stored: unknown = JSON.parse(await readFile(path, "utf8"));
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is IconEntry =>
  typeof entry === "object" &&
  entry !== null &&
  "path" in entry &&
  "state" in entry &&
  typeof entry.path === "string" &&
  typeof entry.state === "string";

async function writeRecord(path: string, entries: readonly IconEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(entries, null, 2), { mode: 0o600 });
}

/** What became of the files of an icon. */
export interface RemovedIcon {
  readonly removed: readonly string[];
  /** Somebody has changed them since; they stay. */
  readonly changed: readonly string[];
}

/** Removes what {@link writeIcon} has written and nobody has changed since; nothing without a record. */
export async function removeIcon(recordPath: string): Promise<RemovedIcon> {
  const [removed, changed]: [string[], string[]] = [[], []];
  for (const { path, state } of (await readRecord(recordPath)).toReversed()) {
    const now = await readState(path);
    if (now === null) continue;
    if (now !== state) {
      changed.push(path);
      continue;
    }
    await rm(path, { force: true });
    removed.push(path);
    await removeEmptyFolders(dirname(path));
  }
  await rm(recordPath, { force: true });
  return { removed: toShown(removed), changed };
}

/** Folders of a bundle and of Windows' script; the person's own folders stay. */
async function removeEmptyFolders(folder: string): Promise<void> {
  if (!/\.app(?:\/|$)/u.test(folder) && !/[/\\]catalog-toolkit$/u.test(folder)) return;
  try {
    await rmdir(folder);
  } catch {
    // It has other files.
    return;
  }
  await removeEmptyFolders(dirname(folder));
}

/** Where the record of an icon is, in the folder of the page. */
export const recordPathIn = (folder: string, isDemo: boolean): string =>
  join(folder, isDemo ? "start-icon-demo.json" : "start-icon.json");
