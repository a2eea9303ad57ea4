/** `catalog web --server`: serves the page to several people until it is stopped. */

import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";
import { createStoreMetrics, serveMetrics } from "@catalog/jobs";

import { buildPage } from "../../build/build-page.ts";
import { createTeamServer } from "../../server/team/create-team-server.ts";
import { createStoreSites } from "../../server/team/store-sites.ts";
import { type CertificateFiles, readCertificate, watchCertificate } from "./certificate.ts";
import type { WebContext, WebParts } from "./open-site.ts";
import { createServerTurns, openStorePremises } from "./open-store.ts";
import { openPort, type ServerPlace, type ServerPort, tryLock } from "./page-port.ts";
import { SERVER_PROBLEMS, WEB_TEXTS } from "./texts.ts";

interface ServerSettings extends ServerPlace {
  readonly origin: string;
  readonly isBehindProxy: boolean;
  readonly metrics: number | undefined;
  /** Where the certificate is, if the server has one of its own. */
  readonly tlsFiles: CertificateFiles | undefined;
}

/** Only a proxy of this computer reaches it, unless a person says otherwise. */
const HOST = "127.0.0.1";
const PROXIED_PORT = 8080;
const TLS_PORT = 443;

/** Flags that only a page for one person has. */
const OF_ONE_PERSON = ["demo", "open", "install", "uninstall"] as const;
/** Flags that only a server has. */
/** Hosts that other machines do not reach. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

const OF_SERVERS = ["url", "tls-cert", "tls-key", "behind-proxy", "host", "metrics"] as const;

/** Throws {@link UsageError} where a flag of a server is given without it. */
export function refuseServerFlags(flags: Flags): void {
  const given = OF_SERVERS.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (given !== undefined) throw new UsageError(SERVER_PROBLEMS.withoutServer(`--${given}`));
}

/** Reads the flags of a server. Throws {@link UsageError} where it would not be safe to start. */
export function readServerFlags(flags: Flags): ServerSettings {
  const stray = OF_ONE_PERSON.find((name) => flags[name] === true);
  if (stray !== undefined) throw new UsageError(SERVER_PROBLEMS.ofOnePerson(`--${stray}`));
  const url = readUrl(readFlag.text(flags, "url"));
  const tlsFiles = readCertificateFlags(flags);
  const isBehindProxy = flags["behind-proxy"] === true;
  if ((tlsFiles !== undefined) === isBehindProxy) throw new UsageError(SERVER_PROBLEMS.noTls);
  const host = readFlag.text(flags, "host") ?? HOST;
  if (isIP(host) === 0 && host !== "localhost") throw new UsageError(SERVER_PROBLEMS.badHost(host));
  const standard = isBehindProxy ? PROXIED_PORT : Number(url.port || TLS_PORT);
  return {
    origin: url.origin,
    isBehindProxy,
    host,
    port: readFlag.port(flags, "port") ?? standard,
    tls: tlsFiles && readCertificate(tlsFiles),
    tlsFiles,
    metrics: readFlag.port(flags, "metrics"),
  };
}

function readCertificateFlags(flags: Flags): CertificateFiles | undefined {
  const [certPath, keyPath] = [readFlag.text(flags, "tls-cert"), readFlag.text(flags, "tls-key")];
  if (certPath !== undefined && keyPath !== undefined) return { certPath, keyPath };
  if (certPath !== keyPath) throw new UsageError(SERVER_PROBLEMS.noTls);
  return undefined;
}

/** The address has no path: the cookie of a session is that of the whole host. */
function readUrl(text: string | undefined): URL {
  const url = text === undefined ? null : URL.parse(text);
  if (text === undefined) throw new UsageError(SERVER_PROBLEMS.noUrl);
  const isBare = url !== null && url.href === `${url.origin}/`;
  if (url?.protocol !== "https:" || !isBare) throw new UsageError(SERVER_PROBLEMS.badUrl(text));
  return url;
}

export async function runTeamServer(
  context: WebContext,
  parts: WebParts,
  flags: Flags,
): Promise<number> {
  const { clock } = context;
  const settings = readServerFlags(flags);
  const folder = join(await parts.readHome(), "web");
  makeFolder(folder);
  const claim = { path: join(folder, "server.json"), command: "catalog web --server", clock };
  using lock = tryLock(claim);
  if (lock === undefined) throw new UsageError(SERVER_PROBLEMS.isRunning);
  if ((await parts.readSeparation()) === "bypassed") {
    throw new UsageError(SERVER_PROBLEMS.seesAllStores);
  }
  await using port = await openPort(settings);
  await serve(context, parts, { settings, folder, port });
  return EXIT.done;
}

interface ServeOptions {
  readonly settings: ServerSettings;
  readonly folder: string;
  readonly port: ServerPort;
}

async function serve(
  context: WebContext,
  parts: WebParts,
  { settings, folder, port }: ServeOptions,
): Promise<void> {
  const { clock, lang, terminal, quiet } = context;
  const texts = WEB_TEXTS[lang];
  const say = (text: string): void => (quiet ? undefined : terminal.err(`${text}\n`));
  const pageFolder = await buildPage({ onBuild: () => say(texts.building) });
  const onBug = createTellBug(context, parts);
  await using team = await parts.openTeam(context);
  if (!(await team.people.list()).some(({ isActive }) => isActive)) {
    say(texts.nobody(settings.origin));
  }
  if (!settings.isBehindProxy && LOOPBACK.has(settings.host)) say(texts.onlyHere);
  const { describeError, version } = parts;
  const turns = createServerTurns(availableParallelism());
  await using sites = createStoreSites({
    team,
    clock,
    version,
    describeError,
    onBug,
    openPremises: (store) =>
      openStorePremises(context, parts, store, { team, folder, onBug, turns }),
  });
  const app = await createTeamServer({
    team,
    sites,
    address: settings,
    version,
    pageFolder,
    openId: parts.readOpenId(),
    onOpenIdProblem: (error) =>
      terminal.err(
        `${terminal.shown(texts.openId(error instanceof Error ? error.message : ""))}\n`,
      ),
    tryCredentials: (credentials) => parts.tryCredentials(context, credentials),
    describeError,
    onBug,
    setListener: (listener) => port.setListener(listener),
  });
  await using measured = new AsyncDisposableStack();
  if (settings.metrics !== undefined) {
    const metrics = createStoreMetrics({ clock, stores: sites.connections });
    measured.use(await serveMetrics({ metrics, port: settings.metrics, onError: onBug }));
  }
  try {
    await app.ready();
    const { origin: url, host } = settings;
    if (context.json) printJson(terminal, { url, host, port: port.port });
    else terminal.out(`${texts.serving(url, `${host}:${port.port}`)}\n`);
    port.open();
    await Promise.all([renewCertificate(context, settings, port), untilStopped(context.stop)]);
  } finally {
    // Connections that stay open would keep the routes at work.
    await port[Symbol.asyncDispose]();
    await app.close();
  }
}

/** Uses a certificate that replaces the one before, until the server is stopped. */
async function renewCertificate(
  { clock, stop, lang, terminal }: WebContext,
  { tls: current, tlsFiles }: ServerSettings,
  port: ServerPort,
): Promise<void> {
  if (current === undefined || tlsFiles === undefined) return;
  const texts = WEB_TEXTS[lang];
  const say = (text: string): void => terminal.err(`${terminal.shown(text)}\n`);
  await watchCertificate(tlsFiles, {
    clock,
    stop,
    current,
    onNew(certificate) {
      port.useCertificate(certificate);
      say(texts.newCertificate(tlsFiles.certPath));
    },
    onBad: ({ localized }) => say(texts.oldCertificate(localized[lang])),
  });
}

/** Takes an error that nobody expected, such as one of a request, and says it on the terminal. */
export function createTellBug(
  { terminal, lang }: Pick<WebContext, "terminal" | "lang">,
  { describeError }: Pick<WebParts, "describeError">,
): (error: unknown) => void {
  return (error) => {
    const known = describeError(error, lang);
    if (known !== undefined) {
      terminal.err(`${known.text}\n`);
      return;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(`${WEB_TEXTS[lang].bug}\n${text}\n`);
  };
}

export function untilStopped(stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) resolve();
  stop.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
