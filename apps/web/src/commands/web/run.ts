/** `catalog web`: serves the upload page on this computer until it is stopped. */

import { spawn } from "node:child_process";
import { join } from "node:path";

import { EXIT, type Flags, printJson, UsageError } from "@catalog/console";

import { buildPage } from "../../build/build-page.ts";
import { createLinkKeys } from "../../server/access.ts";
import { createServer } from "../../server/create-server.ts";
import { removeLeftovers } from "../../server/files.ts";
import { openSite, type WebContext, type WebParts } from "./open-site.ts";
import { claimPage, type PageClaim, type PagePort, takePort } from "./page-port.ts";
import { createTellBug, refuseServerFlags, runTeamServer, untilStopped } from "./serve-team.ts";
import { recordPathIn, removeIcon, writeIcon } from "./start-icon.ts";
import { noLastingPlace, WEB_TEXTS } from "./texts.ts";

/** The program that opens addresses on a system, and its words before the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // `start` is a word of the shell; this program opens addresses without one.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens the address; returns whether a program was found for it. No shell sees the address. */
function openBrowser(
  url: string,
  { platform, env }: { readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const [program = "", ...words] = OPENERS[platform] ?? ["xdg-open"];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true, env });
  child.once("error", () => resolve(false));
  child.once("spawn", () => resolve(true));
  child.unref();
  return promise;
}

export async function runWebCommand(
  context: WebContext,
  parts: WebParts,
  flags: Flags,
): Promise<number> {
  if (flags["server"] === true) return await runTeamServer(context, parts, flags);
  refuseServerFlags(flags);
  const folder = join(await parts.readHome(), "web");
  if (flags["install"] === true) return await installIcon(context, parts, { flags, folder });
  if (flags["uninstall"] === true) return await uninstallIcon(context, { flags, folder });
  const isDemo = flags["demo"] === true;
  const kind = isDemo ? "demo-" : "";
  const command = formatCommand(parts, flags);
  const path = join(folder, `${kind}page.json`);
  const claim = await claimPage({ path, command, clock: context.clock });
  if (!("publish" in claim)) {
    await show(context, { ...claim, isRunning: true }, { flags, env: parts.env });
    return EXIT.done;
  }
  using _ = claim;
  await using port = await takePort(flags, join(folder, `${kind}port`));
  claim.publish(port.port);
  await serve(context, parts, { flags, folder, command, isDemo, claim, port });
  return EXIT.done;
}

interface IconOptions {
  readonly flags: Flags;
  readonly folder: string;
}

/** Variables of this terminal that an icon starts without. */
const listOwnSettings = (env: WebParts["env"]): readonly string[] =>
  Object.keys(env).filter((name) => name.startsWith("CATALOG_") && name !== "CATALOG_LANG");

async function installIcon(
  { terminal, json, lang }: WebContext,
  parts: WebParts,
  { flags, folder }: IconOptions,
): Promise<number> {
  const { system, program, folder: start, isTemporary } = await parts.readIcon();
  if (isTemporary) throw new UsageError(noLastingPlace);
  const isDemo = flags["demo"] === true;
  const asked = [...(isDemo ? ["--demo"] : []), ...toPortWords(flags)];
  const words = [...program, "web", "--open", ...asked];
  const target = { words, folder: start, isDemo };
  const made = await writeIcon(system, target, recordPathIn(folder, isDemo));
  if (json) printJson(terminal, { written: made });
  else terminal.out(`${WEB_TEXTS[lang].installed(made)}\n`);
  const left = listOwnSettings(parts.env);
  if (left.length > 0) terminal.err(`${WEB_TEXTS[lang].iconWithout(left)}\n`);
  return EXIT.done;
}

async function uninstallIcon(
  { terminal, json, lang }: WebContext,
  { flags, folder }: IconOptions,
): Promise<number> {
  const found = await removeIcon(recordPathIn(folder, flags["demo"] === true));
  if (json) printJson(terminal, found);
  else terminal.out(`${WEB_TEXTS[lang].uninstalled(found)}\n`);
  return EXIT.done;
}

const toPortWords = ({ port }: Flags): readonly string[] =>
  typeof port === "number" ? ["--port", String(port)] : [];

interface ServeOptions {
  readonly flags: Flags;
  readonly folder: string;
  readonly command: string;
  readonly isDemo: boolean;
  readonly claim: PageClaim;
  readonly port: PagePort;
}

async function serve(context: WebContext, parts: WebParts, options: ServeOptions): Promise<void> {
  const { flags, folder, command, isDemo, claim, port } = options;
  const { clock, lang, terminal, quiet } = context;
  const texts = WEB_TEXTS[lang];
  const say = (text: string): void => (quiet ? undefined : terminal.err(`${text}\n`));
  const pageFolder = await buildPage({ onBuild: () => say(texts.building) });
  const onBug = createTellBug(context, parts);
  await using opened = await openSite(context, parts, { isDemo, command, onBug });
  await removeLeftovers(opened.site);
  const links = createLinkKeys(clock);
  const closing = Promise.withResolvers<void>();
  const app = await createServer({
    ...opened,
    sessionFolder: folder,
    links,
    linkSecret: claim.secret,
    command,
    user: context.user ?? "?",
    pageFolder,
    describeError: parts.describeError,
    onBug,
    onClose: () => closing.resolve(),
    setListener: (listener) => port.setListener(listener),
  });
  try {
    await app.ready();
    const link = { port: port.port, key: links.create(), isRunning: false };
    await show(context, link, { flags, env: parts.env });
    port.open();
    await Promise.race([untilStopped(context.stop), closing.promise.then(() => say(texts.closed))]);
  } finally {
    // Connections that stay open would keep the routes at work.
    await port[Symbol.asyncDispose]();
    await app.close();
  }
}

/** The words that open this page, which open it again or print a new link. */
function formatCommand({ programName }: WebParts, { demo, port }: Flags): string {
  const words = [programName, "web"];
  if (demo === true) words.push("--demo");
  words.push(...toPortWords({ port }));
  return words.join(" ");
}

interface ShownLink {
  readonly port: number;
  readonly key: string;
  /** Whether another process serves the page. */
  readonly isRunning: boolean;
}

async function show(
  { terminal, json, lang }: WebContext,
  { port, key, isRunning }: ShownLink,
  { flags, env }: Pick<WebParts, "env"> & { readonly flags: Flags },
): Promise<void> {
  const texts = WEB_TEXTS[lang];
  const url = `http://127.0.0.1:${port}/#k=${key}`;
  if (json) printJson(terminal, { url, port, already_open: isRunning });
  else {
    terminal.out(`${isRunning ? texts.linkOfRunning(url) : texts.link(url)}\n`);
    if (isRunning) terminal.err(`${texts.runningHint}\n`);
    else terminal.err(`${flags["demo"] === true ? texts.demoHint : texts.hint}\n`);
  }
  const asked = flags["port"];
  if (isRunning && typeof asked === "number" && ![0, port].includes(asked))
    terminal.err(`${texts.otherPort(port)}\n`);
  if (flags["open"] !== true) return;
  if (await openBrowser(url, { platform: process.platform, env: { ...env } })) return;
  terminal.err(`${texts.noBrowser}\n`);
}
