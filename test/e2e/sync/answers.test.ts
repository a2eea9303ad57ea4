/** What servers answer in place of a feed, and what a person reads then. */

import { createServer, type ServerResponse } from "node:http";

import { expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";

const PAGE = `<!DOCTYPE html>\n<html lang="tr"><head><title>Giriş</title></head><body><form action="/login"><input name="user"><input type="password"></form></body></html>`;

/** As pages of some shops are written, which are XML too. */
const STRICT_PAGE = `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Login</title></head><body><p>Login</p><p>Name</p></body></html>`;

type Answer = (response: ServerResponse) => void;

const page =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
  };

const ANSWERS: readonly (readonly [string, Answer, string, string])[] = [
  ["a login page", page(PAGE), "Sunucu dosya yerine bir web sayfası", "E_FEED_ADDRESS"],
  [
    "a login page that is XML",
    page(STRICT_PAGE),
    "Sunucu dosya yerine bir web sayfası",
    "E_FEED_ADDRESS",
  ],
  [
    "half of the file",
    (response) => {
      response.writeHead(200, { "content-length": "900" }).write("Kod;Stok\n");
      response.socket?.end();
    },
    "ortasında bağlantıyı kesti",
    "E_FEED_ADDRESS",
  ],
  [
    "a server that is busy",
    (response) => response.writeHead(503).end(),
    "hata verdi (503)",
    "E_FEED_ADDRESS",
  ],
  [
    "a server that wants none for hours",
    (response) => response.writeHead(429, { "retry-after": "9000" }).end(),
    "hata verdi (429)",
    "E_FEED_ADDRESS",
  ],
  [
    "a login",
    (response) => response.writeHead(403).end(),
    "catalog feed login http://",
    "E_DOWNLOAD_LOGIN",
  ],
];

it("says what has happened, to a sync and to a plan", async () => {
  const store = await openTestStore({ products: 3 });
  let answer: Answer = page("");
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.setHeader("retry-after", "0");
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  const host = `127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  for (const [name, given, words, code] of ANSWERS) {
    answer = given;
    requests = 0;
    const synced = await store.json("sync", `http://${host}/stok.csv`, "--allow-host", host);
    const tries = requests;
    // It would wait as long again.
    const isRetried = tries > 1;
    const plan = ["plan", `http://${host}/stok.csv`, "--allow-host", host];
    const planned = isRetried ? synced : await store.json(...plan);

    expect([name, synced.exit, synced.error.code]).toEqual([name, 3, code]);
    expect(synced.error.message, name).toContain(words);
    expect(planned.error.message, name).toContain(words);
    expect(synced.error.message, name).not.toContain("ulaşılamadı");
    expect([name, tries]).toEqual([name, /503|kesti/u.test(words) ? 4 : 1]);
  }
});
