import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { expect, it, onTestFinished } from "vitest";

import { claimPage } from "../../../src/commands/web/page-port.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

/** A clock that each wait puts forward by five seconds, so that few of them are needed. */
function createQuickClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    async sleep() {
      now += 5_000;
    },
  };
}

it("asks the process that holds the lock for a link, and no other that the note names", async () => {
  const server = createServer((_request, response) => response.end('{"key":"k"}'));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const path = join(createFolder(), "page.json");
  const options = { path, command: "catalog web", clock: createQuickClock() };
  const first = await claimPage(options);
  if (!("publish" in first)) throw new Error("the page is claimed already");
  using _ = first;
  first.publish(port);
  const note: object = JSON.parse(readFileSync(path, "utf8"));

  const asked = await claimPage(options);
  writeFileSync(path, JSON.stringify({ ...note, pid: 1 }));
  const refused = claimPage(options);

  expect(asked).toEqual({ port, key: "k" });
  await expect(refused).rejects.toThrow("does not answer");
});
