/** Tables behind links, which are named by their address and never by their file on this machine. */

import { createServer } from "node:http";

import { expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";

const XML = `<Urunler>
  <Urun><StokKodu>A-1</StokKodu><Kalan>5</Kalan></Urun>
  <Urun><StokKodu>A-2</StokKodu><Kalan>7</Kalan></Urun>
</Urunler>`;

it("are named by their address without its key, in plans, remembered columns and failures", async () => {
  let body = "";
  const server = createServer((_, response) => void response.end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${Object(server.address()).port}`;
  const shop = await openTestStore({ products: 2 });
  const [one = "", other = ""] = shop.sandbox.products().map(({ product_code: code }) => code);
  const xml = XML.replace("A-1", one).replace("A-2", other);
  body = xml;
  const link = `http://${host}/xml/stok.xml?token=GIZLI`;
  const how = ["--allow-host", host, "--map", "StokKodu=product_code", "--map", "Kalan=stock"];

  const imported = await shop.json("import", link, ...how, "--yes");
  const shown = await shop.run("plan", link, ...how, "--lang", "tr");
  const remembered = await shop.run("rules", "list");
  body = xml.slice(0, -20);
  const cut = await shop.run("plan", link, ...how, "--lang", "en");

  expect(imported).toMatchObject({ exit: 0, counts: { updated: 2 } });
  expect(shown.out).toContain(`http://${host}/xml/stok.xml ·`);
  expect(remembered.out).toContain(`http://${host}/xml/stok.xml`);
  expect(cut.err).toContain(`http://${host}/xml/stok.xml`);
  const outputs = [shown, remembered, cut].map(({ out, err }) => out + err);
  expect(JSON.stringify(imported) + outputs.join("")).not.toMatch(/GIZLI|stok\.xml\.csv/u);
});
