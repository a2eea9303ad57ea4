import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import {
  type IconSystem,
  type IconTarget,
  removeIcon,
  writeIcon,
} from "../../../src/commands/web/start-icon.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

/** Letters, blanks and all that a shell, an entry or a script reads as something else. */
const HARD = "İş Çantası ğü $HOME `x` 100% %u \\ \"q\" 'a' & ; (b)";

interface Ran {
  readonly program: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>> | undefined;
}

interface Desk {
  readonly system: IconSystem;
  readonly home: string;
  readonly recordPath: string;
  readonly ran: readonly Ran[];
  /** Paths of all files below the person's folder; what a link leads to stands elsewhere. */
  readonly files: () => readonly string[];
}

function createDesk(
  platform: NodeJS.Platform,
  run: (ran: Ran) => string | undefined = () => "",
): Desk {
  const home = createFolder();
  mkdirSync(join(home, "Desktop"));
  const ran: Ran[] = [];
  const system: IconSystem = {
    platform,
    home,
    env: { LOCALAPPDATA: join(home, "AppData", "Local") },
    run: async (program, words, env) => {
      ran.push({ program, words, env });
      return run({ program, words, env });
    },
  };
  const files = (): readonly string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.parentPath.includes("Desktop/Catalog"))
      .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
      .toSorted((one, other) => one.localeCompare(other));
  return { system, home, recordPath: join(createFolder(), "web", "icon.json"), ran, files };
}

/** A program that writes down its words and its folder. */
function createProbe(): { readonly target: IconTarget; readonly read: () => Promise<unknown> } {
  const folder = join(createFolder(), HARD);
  mkdirSync(folder);
  const [script, out] = [join(folder, `${HARD}.js`.replaceAll("/", "_")), join(folder, "out.json")];
  writeFileSync(
    script,
    `const { renameSync, writeFileSync } = require("node:fs");
     writeFileSync("out.part", JSON.stringify([process.argv.slice(2), process.cwd()]));
     renameSync("out.part", "out.json");`,
  );
  const words = [process.execPath, script, "web", "--open", HARD];
  const read = async (): Promise<unknown> => {
    await expect.poll(() => existsSync(out), { timeout: 20_000 }).toBe(true);
    return JSON.parse(readFileSync(out, "utf8"));
  };
  return { target: { words, folder, isDemo: false }, read };
}

const TARGET: IconTarget = { words: ["/usr/bin/node", "/a/b.js"], folder: "/", isDemo: false };

/** Reads a value as the Desktop Entry specification says. */
const unescapeValue = (text: string): string =>
  text.replaceAll(
    /\\(.)/gu,
    (_, sign: string) => ({ s: " ", n: "\n", t: "\t", r: "\r" })[sign] ?? sign,
  );

function readEntry(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, "utf8").split("\n").slice(1, -1);
  return new Map(
    lines.map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), unescapeValue(line.slice(at + 1))];
    }),
  );
}

const readWords = (exec: string): readonly string[] =>
  [...exec.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word = ""]) =>
    word.replaceAll(/\\(.)/gu, "$1").replaceAll("%%", "%"),
  );

describe("on Linux", () => {
  it("is an entry on the desktop and in the menu, whose command has exactly the words", async () => {
    const { system, files, home, recordPath, ran } = createDesk("linux");
    const { target } = createProbe();

    const made = await writeIcon(system, target, recordPath);

    const entry = join(home, "Desktop/catalog-toolkit.desktop");
    expect(files()).toEqual([
      ".local/share/applications/catalog-toolkit.desktop",
      ".local/share/icons/hicolor/scalable/apps/catalog-toolkit.svg",
      "Desktop/catalog-toolkit.desktop",
    ]);
    expect(made).toEqual([join(home, ".local/share/applications/catalog-toolkit.desktop"), entry]);
    expect(readWords(readEntry(entry).get("Exec") ?? "")).toEqual(target.words);
    expect(readEntry(entry).get("Path")).toBe(target.folder);
    expect(statSync(entry).mode & 0o111).toBe(0o111);
    expect(ran.map(({ words }) => words)).toContainEqual([
      "set",
      entry,
      "metadata::trusted",
      "true",
    ]);
  });

  it("finds the desktop by the name that the system gives it", async () => {
    const { system, home, files, recordPath } = createDesk("linux");
    mkdirSync(join(home, ".config"));
    mkdirSync(join(home, "Masaüstü"));
    const dirs = `# XDG\nXDG_DOWNLOAD_DIR="$HOME/İndirilenler"\nXDG_DESKTOP_DIR="$HOME/Masaüstü"\n`;
    writeFileSync(join(home, ".config/user-dirs.dirs"), dirs);

    await writeIcon(system, TARGET, recordPath);

    expect(files()).toContain("Masaüstü/catalog-toolkit.desktop");
    expect(files()).not.toContain("Desktop/catalog-toolkit.desktop");
  });

  it.each(["$HOME/", "relative", "/nowhere/at/all"])(
    "is in the menu alone where there is no desktop: %s",
    async (folder) => {
      const { system, home, recordPath } = createDesk("linux");
      mkdirSync(join(home, ".config"));
      writeFileSync(join(home, ".config/user-dirs.dirs"), `XDG_DESKTOP_DIR="${folder}"\n`);

      const made = await writeIcon(system, TARGET, recordPath);

      expect(made).toEqual([join(home, ".local/share/applications/catalog-toolkit.desktop")]);
    },
  );
});

describe("on macOS", () => {
  it("is a program whose script starts exactly the words and ends", async () => {
    const { system, home, files, recordPath } = createDesk("darwin");
    const { target, read } = createProbe();

    const made = await writeIcon(system, target, recordPath);
    const bundle = join(home, "Applications/Catalog Toolkit.app");
    await promisify(execFile)(join(bundle, "Contents/MacOS/start"));

    expect(await read()).toEqual([target.words.slice(2), target.folder]);
    expect(made).toEqual([bundle, join(home, "Desktop/Catalog Toolkit.app")]);
    expect(files()).toEqual([
      "Applications/Catalog Toolkit.app/Contents/Info.plist",
      "Applications/Catalog Toolkit.app/Contents/MacOS/start",
      "Applications/Catalog Toolkit.app/Contents/Resources/icon.icns",
      "Desktop/Catalog Toolkit.app",
    ]);
    const icon = readFileSync(join(bundle, "Contents/Resources/icon.icns"));
    expect([icon.toString("latin1", 0, 4), icon.readUInt32BE(4)]).toEqual(["icns", icon.length]);
    expect(icon.toString("latin1", 17, 20)).toBe("PNG");
  });
});

/** Stands for PowerShell, which makes the shortcuts where the person's folders are. */
const makeLinks =
  (home: () => string) =>
  ({ env }: Ran): string => {
    const path = join(home(), "Desktop", `${env?.["CATALOG_ICON_NAME"]}.lnk`);
    writeFileSync(path, JSON.stringify(env));
    return `${path}\r\n`;
  };

describe("on Windows", () => {
  it("is a shortcut without other letters, to a script that has the words", async () => {
    let folder = "";
    const desk = createDesk("win32", (ran) => makeLinks(() => folder)(ran));
    folder = desk.home;
    const words = ["C:\\Program Files\\node.exe", "C:\\İş 100%\\a&b^(c)!.js", "web", "--open"];

    const made = await writeIcon(
      desk.system,
      { words, folder: "C:\\Users\\Işık Ğ", isDemo: false },
      desk.recordPath,
    );

    const [ran] = desk.ran;
    const script = join(folder, "AppData/Local/catalog-toolkit/catalog-toolkit.cmd");
    expect(made).toEqual([join(folder, "Desktop/Catalog Toolkit.lnk")]);
    expect(ran?.program).toBe("powershell.exe");
    expect(Object.values(ran?.env ?? {}).join("")).toMatch(/^[\u0020-\u007e]*$/u);
    expect(ran?.words.join("")).toMatch(/^[\u0020-\u007e\n]*$/u);
    expect(ran?.env?.["CATALOG_ICON_WORDS"]).toBe(
      String.raw`--headless cmd.exe /d /c call "%LOCALAPPDATA%\catalog-toolkit\catalog-toolkit.cmd"`,
    );
    expect(readFileSync(script, "utf8").split("\r\n")).toEqual([
      "@echo off",
      "chcp 65001 >nul",
      String.raw`cd /d "C:\Users\Işık Ğ"`,
      String.raw`"C:\Program Files\node.exe" "C:\İş 100%%\a&b^(c)!.js" "web" "--open"`,
      "",
    ]);
    const icon = readFileSync(join(folder, "AppData/Local/catalog-toolkit/icon.ico"));
    expect([icon.readUInt16LE(2), icon.readUInt32LE(14) + icon.readUInt32LE(18)]).toEqual([
      1,
      icon.length,
    ]);
  });

  it("leaves nothing behind that is not recorded where PowerShell fails", async () => {
    const desk = createDesk("win32", () => undefined);

    await expect(writeIcon(desk.system, TARGET, desk.recordPath)).rejects.toThrow("PowerShell");
    await removeIcon(desk.recordPath);

    expect(desk.files()).toEqual([]);
  });
});

describe("an icon", () => {
  it.each(["linux", "darwin"] as const)(
    "can be made twice on %s, and is removed without a trace",
    async (platform) => {
      const { system, home, files, recordPath } = createDesk(platform);
      writeFileSync(join(home, "Desktop/mine.txt"), "mine");

      await writeIcon(system, TARGET, recordPath);
      const once = files();
      await writeIcon(system, { ...TARGET, words: ["/other/node", "/other/b.js"] }, recordPath);
      const twice = files();
      const { removed, changed } = await removeIcon(recordPath);

      expect(twice).toEqual(once);
      expect([removed.length, changed]).toEqual([2, []]);
      expect([files(), existsSync(recordPath)]).toEqual([["Desktop/mine.txt"], false]);
      expect(existsSync(join(home, "Applications/Catalog Toolkit.app"))).toBe(false);
      expect(await removeIcon(recordPath)).toEqual({ removed: [], changed: [] });
    },
  );

  it("that a person has changed stays, and so does that of the demo", async () => {
    const { system, home, files, recordPath } = createDesk("linux");
    await writeIcon(system, { ...TARGET, isDemo: true }, `${recordPath}-demo`);
    await writeIcon(system, TARGET, recordPath);
    const entry = join(home, "Desktop/catalog-toolkit.desktop");
    writeFileSync(entry, "[Desktop Entry]\nName=Benim\n");

    const { changed } = await removeIcon(recordPath);

    expect(changed).toEqual([entry]);
    expect(files()).toEqual([
      ".local/share/applications/catalog-toolkit-demo.desktop",
      ".local/share/icons/hicolor/scalable/apps/catalog-toolkit-demo.svg",
      "Desktop/catalog-toolkit-demo.desktop",
      "Desktop/catalog-toolkit.desktop",
    ]);
  });
});

const hasGio = ((): boolean => {
  try {
    execFileSync("gio", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasGio)("starts the program with its words by the system's own launcher", async () => {
  const { system, home, recordPath } = createDesk("linux");
  const { target, read } = createProbe();
  await writeIcon(system, target, recordPath);

  await promisify(execFile)("gio", ["launch", join(home, "Desktop/catalog-toolkit.desktop")]);

  expect(await read()).toEqual([target.words.slice(2), target.folder]);
});
