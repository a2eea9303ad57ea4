import { createTestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { addChannel } from "../../src/alerts/edit-channels.ts";
import { type AlertPorts, readChannelViews } from "../../src/alerts/run-alerts.ts";
import { startWebReceiver } from "../helpers/receivers.ts";

type Place = Parameters<typeof addChannel>[2]["place"];

/** A store with a channel that works, whose secret is in the keyring. */
async function openShop() {
  const receiver = await startWebReceiver();
  const { connection, clock } = await createTestConnection();
  const secrets = new Map<string, string>();
  const ports: AlertPorts = {
    clock,
    post: (url, request) => fetch(url, request),
    secrets: {
      read: async (_, place) => (place === "env:HOOK" ? receiver.url : secrets.get(place)),
      async write(_, secret, place) {
        secrets.set(place, secret);
        return place;
      },
      forget: async (_, place) => void secrets.delete(place),
    },
  };
  const add = (place: Place) =>
    addChannel(
      connection,
      { kind: "webhook", name: "hook", lang: "tr" },
      { secret: place.startsWith("env:") ? undefined : receiver.url, place, ports },
    );
  await add("keyring");
  const view = async () => (await readChannelViews(connection))[0];
  return { receiver, secrets, add, view };
}

describe("a channel that is added under a name that is taken", () => {
  it("leaves the one that works alone where its own test message does not arrive", async () => {
    const { receiver, add, view } = await openShop();
    const before = await view();
    receiver.answer(410);

    const added = await add("file");

    expect(added).toMatchObject({ isStored: false, tried: { hasArrived: false } });
    expect(await view()).toEqual(before);
    expect(before?.health).toBe("working");
  });

  it.each([
    ["file", ["file"]],
    ["env:HOOK", []],
    ["keyring", ["keyring"]],
  ] as const)("leaves no secret but its own (%s)", async (place, kept) => {
    const { secrets, add, view } = await openShop();

    await add(place);

    expect([...secrets.keys()]).toEqual(kept);
    expect((await view())?.channel.secret).toBe(place);
  });
});
