/** The page of a server of several people, with a certificate of its own, and people who use it. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

import { callCatalog, type Json, readDocument } from "../call-catalog.ts";
import type { TestStore } from "../markets/test-store.ts";
import { PROCESS_ENV } from "../processes/catalog-process.ts";
import { type OpenedPage, openBrowserPage, type OpenPageOptions } from "./browser.ts";
import { PAGE_POLL, press } from "./page-steps.ts";

export interface TeamPage {
  readonly origin: string;
  /** Runs a command of the server's machine, with `--json`. */
  readonly json: (...args: readonly string[]) => Promise<Json>;
  /** Puts another store on the server. */
  readonly addStore: (name: string, store: Pick<TestStore, "env">) => Promise<Json>;
  /** Adds a person, and returns the link of the invitation. */
  readonly invite: (login: string, name: string, ...role: readonly string[]) => Promise<string>;
}

/** Whether a certificate can be made here. */
export const hasOpenSsl: boolean = spawnSync("openssl", ["version"]).status === 0;

function writeCertificate(folder: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const files = ["-keyout", key, "-out", cert, "-subj", "/CN=localhost"];
  const made = spawnSync("openssl", ["req", "-x509", ...kind, ...files]);
  expect(made.status).toBe(0);
  return { cert, key };
}

/** A port that was free a moment ago: the address of a server is known before it starts. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/**
 * Starts the server with the store under this name, and with variables that may depend on its address; it
 * is ended when the test ends.
 */
export async function openTeam(
  { env, folder }: Pick<TestStore, "env" | "folder">,
  store: string,
  toEnv: (origin: string) => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): Promise<TeamPage> {
  const port = await findPort();
  const origin = `https://localhost:${port}`;
  const { cert, key } = writeCertificate(folder);
  const CATALOG_SECRET_KEY = randomBytes(32).toString("base64");
  const own = { ...PROCESS_ENV, CATALOG_HOME: env["CATALOG_HOME"] ?? "", CATALOG_SECRET_KEY };
  const jsonAt = async (at: TestStore["env"], ...args: readonly string[]): Promise<Json> =>
    readDocument(await callCatalog([...args, "--json"], { env: { ...at, ...own }, cwd: folder }));
  const json = (...args: readonly string[]): Promise<Json> => jsonAt(env, ...args);
  await json("stores", "add", store);
  const place = ["--url", origin, "--port", String(port), "--tls-cert", cert, "--tls-key", key];
  const stop = new AbortController();
  const printed = Promise.withResolvers<string>();
  const finished = callCatalog(["web", "--server", "--json", "--lang", "tr", ...place], {
    env: { ...own, ...(await toEnv(origin)) },
    cwd: folder,
    stop: stop.signal,
    onText: printed.resolve,
  });
  onTestFinished(async () => {
    stop.abort(new Error("interrupted"));
    await finished;
  });
  const ended = finished.then(({ err }) => Promise.reject(new Error(err)));
  ended.catch(() => undefined);
  await Promise.race([printed.promise, ended]);
  return {
    origin,
    json,
    addStore: (name, other) => jsonAt(other.env, "stores", "add", name),
    invite: async (login, name, ...role) => {
      const added = await json("users", "add", login, "--name", name, "--url", origin, ...role);
      return String(added.invitation);
    },
  };
}

/** Opens a browser of a person's own on the page of the server. */
export const openPerson = (options: OpenPageOptions = {}): Promise<OpenedPage> =>
  openBrowserPage({ ...options, isOwnCertificate: true });

/** Follows an invitation to the first store, as somebody does who has just got it. */
export async function accept(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link);
  for (const label of ["Yeni parola", "Yeni parola, bir daha"]) {
    await page.getByLabel(label, { exact: true }).fill(password);
  }
  await press(page, "Parolayı kaydet ve gir");
  await page.waitForURL("**/s/**");
}

/** Signs in on the screen that asks for it. */
export async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel("Kullanıcı adı ya da e-posta").fill(login);
  await page.getByLabel("Parola", { exact: true }).fill(password);
  await press(page, "Giriş yap");
}

/** Waits until the path of the page is this one. */
export const expectPath = (page: Page, path: string): Promise<void> =>
  expect.poll(() => new URL(page.url()).pathname, PAGE_POLL).toBe(path);
