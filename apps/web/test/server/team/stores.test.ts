/** A store's page on a server of several people. */

import { expect, it } from "vitest";

import { startTeamServer } from "../../helpers/team-server.ts";

it("says who asks, and what the person may do in the store", async () => {
  const server = await startTeamServer();
  const headers = await server.addPerson("ayse", "editor", "mutfak");

  const { status, body } = await server.send("GET /s/mutfak/api/me", { headers });

  expect([status, JSON.parse(body), server.bugs]).toMatchObject([
    200,
    { user: "ayse", role: "editor", store: { storeId: "0123456789abcdef01234560" } },
    [],
  ]);
});
