import { expect, it } from "vitest";

import { createProgressSender, type ParentChannel } from "../src/progress-sender.ts";

const STEP = { phase: "send", done: 1, total: 2 };

it("tells nobody where the program was started without a channel", () => {
  expect(createProgressSender({ connected: false })).toBeUndefined();
});

it("tells each step while the parent listens, and nothing after it has ended", () => {
  const told: unknown[] = [];
  const channel: { connected: boolean } & ParentChannel = {
    connected: true,
    send: (message: unknown) => told.push(message) > 0,
  };
  const send = createProgressSender(channel);

  send?.(STEP);
  channel.connected = false;
  send?.(STEP);

  expect(told).toEqual([STEP]);
});
