/** Alerts as the rest of the program uses them. */

import { addChannel, needsSecret, removeChannel } from "./edit-channels.ts";
import type { AlertTools } from "./find-trouble.ts";
import {
  type AlertPorts,
  listAlertTools,
  readChannelViews,
  runAlerts,
  tellAlerts,
  testChannel,
  watchAlerts,
} from "./run-alerts.ts";

type Rest<Run> = Run extends (tools: never, given: infer Given, ...rest: never) => unknown
  ? Given
  : never;

type Ended<Run extends (...given: never) => unknown> = Awaited<ReturnType<Run>>;

/** Tells people what goes wrong with the syncs of stores, and edits the channels by which it does. */
export interface Alerts {
  /**
   * Tells it again and again until it is disposed of, for the stores that `listTools` returns. Nothing
   * else depends on it: what cannot be told now is told later.
   */
  watch(listTools: () => readonly AlertTools[]): AsyncDisposable;
  /** The stores of a server's database, for {@link Alerts.watch}. */
  listStores: typeof listAlertTools;
  /** Tells it once where there are channels. Never rejects. */
  tell(tools: AlertTools, stop: AbortSignal): Promise<void>;
  /** Tells it once, and returns what needs a person now. Rejects where the database does. */
  check(tools: AlertTools, stop: AbortSignal): Promise<Ended<typeof runAlerts>>;
  /** The channels and how their messages fare. */
  list: typeof readChannelViews;
  /**
   * Stores a channel once a test message has arrived through it; one of the same name is replaced.
   * Throws `InputError` for what cannot be used.
   */
  add(
    tools: Parameters<typeof addChannel>[0],
    given: Rest<typeof addChannel>,
    secret: Omit<Parameters<typeof addChannel>[2], "ports">,
  ): Promise<Ended<typeof addChannel>>;
  /** Whether the channel needs a secret: a mail server may ask for no login. */
  needsSecret: typeof needsSecret;
  /** Sends a test message. */
  test(
    tools: Parameters<typeof testChannel>[0],
    channel: Rest<typeof testChannel>,
  ): Promise<Ended<typeof testChannel>>;
  /** Removes a channel and its secret; returns whether there was one. */
  remove(
    tools: Parameters<typeof removeChannel>[0],
    channel: Rest<typeof removeChannel>,
  ): Promise<boolean>;
}

/** Creates them on what they need of the world. */
export const createAlerts = (ports: AlertPorts): Alerts => ({
  watch: (listTools) => watchAlerts(listTools, ports),
  listStores: listAlertTools,
  tell: (tools, stop) => tellAlerts(tools, { ports, stop }),
  check: (tools, stop) => runAlerts(tools, { ports, stop }),
  list: readChannelViews,
  add: (tools, given, secret) => addChannel(tools, given, { ...secret, ports }),
  needsSecret,
  test: (tools, channel) => testChannel(tools, channel, ports),
  remove: (tools, channel) => removeChannel(tools, channel, ports),
});
