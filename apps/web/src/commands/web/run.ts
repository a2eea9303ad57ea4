import { join } from "node:path";

import { EXIT, type Flags, printJson } from "@catalog/console";

import { buildPage } from "../../build/build-page.ts";
import { createLinkKeys } from "../../server/access/link-keys.ts";
import { createServer } from "../../server/create-server.ts";
import { removeLeftovers } from "../../server/remove-old-files.ts";
import { listen } from "./listen.ts";
import { openBrowser } from "./open-browser.ts";
import { openSite } from "./open-site.ts";
import { WEB_TEXTS } from "./texts.ts";
import type { WebContext, WebParts } from "./web-parts.ts";

/** `catalog web`: serves the upload page on this computer until it is stopped. */
export async function runWebCommand(
  context: WebContext,
  parts: WebParts,
  flags: Flags,
): Promise<number> {
  const { clock, lang, terminal, quiet } = context;
  const texts = WEB_TEXTS[lang];
  const folder = join(await parts.readHome(), "web");
  const say = (text: string): void => (quiet ? undefined : terminal.err(`${text}\n`));
  const pageFolder = await buildPage({ onBuild: () => say(texts.building) });
  const onBug = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(`${texts.bug}\n${text}\n`);
  };
  await using opened = await openSite(context, parts, { isDemo: flags["demo"] === true, onBug });
  await removeLeftovers(opened.site);
  const links = createLinkKeys(clock);
  const { describeError } = parts;
  const app = await createServer({
    ...opened,
    sessionFolder: folder,
    links,
    pageFolder,
    describeError,
    onBug,
  });
  try {
    const port = await listen(app, flags, folder);
    const url = `http://127.0.0.1:${port}/#k=${links.create()}`;
    await show(
      context,
      { url, port },
      { isOpened: flags["open"] === true, isDemo: flags["demo"] === true, env: parts.env },
    );
    await untilStopped(context.stop);
  } finally {
    await app.close();
  }
  return EXIT.done;
}

interface ShownLink extends Pick<WebParts, "env"> {
  readonly isOpened: boolean;
  readonly isDemo: boolean;
}

async function show(
  { terminal, json, lang }: WebContext,
  { url, port }: { readonly url: string; readonly port: number },
  { isOpened, isDemo, env }: ShownLink,
): Promise<void> {
  const texts = WEB_TEXTS[lang];
  if (json) printJson(terminal, { url, port });
  else {
    terminal.out(`${texts.link(url)}\n`);
    terminal.err(`${isDemo ? texts.demoHint : texts.hint}\n`);
  }
  if (!isOpened || (await openBrowser(url, { platform: process.platform, env: { ...env } })))
    return;
  terminal.err(`${texts.noBrowser}\n`);
}

function untilStopped(stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) resolve();
  stop.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
