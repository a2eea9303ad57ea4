/**
 * The channels by which people of one store are told what goes wrong, and what each of them has been
 * told: one record for each channel and subject, over all processes and restarts.
 */

import { z } from "zod";

import type { RepositoryOptions } from "../locks/leases.ts";
import { fromJson, parseNote, toJson } from "../sql/queries.ts";
import type { AlertSchema } from "../sql/schema.ts";

/** How the latest messages of a channel fared. */
interface AlertDelivery {
  /** When the latest attempt ended, in milliseconds since 1970. */
  readonly atMs: number;
  /** Why it failed, in words without secrets; `null` where the message has arrived. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** When a message last arrived. @default never */
  readonly arrivedAtMs?: number | undefined;
}

/** A channel to store. It holds no secret. */
interface AlertChannelSettings {
  readonly name: string;
  readonly kind: string;
  /** What the channel needs to know; the reader validates it. */
  readonly settings: unknown;
}

/** A stored channel. */
interface AlertChannelRecord extends AlertChannelSettings {
  /** `undefined` where nothing was sent yet. */
  readonly delivery: AlertDelivery | undefined;
}

/** What a channel has been told of one subject. */
interface AlertRecord {
  readonly channel: string;
  readonly subject: string;
  readonly version: number;
  /** The reader validates it. */
  readonly state: unknown;
}

type AlertKey = Pick<AlertRecord, "channel" | "subject" | "version">;

/** The channels and alerts of one store. Each method that writes is one commit. */
export interface AlertRepository {
  /** Those of another store of the database, by its number. */
  of(store: number): AlertRepository;
  /** Returns the channels by name. */
  listChannels(): Promise<readonly AlertChannelRecord[]>;
  /** Stores a new channel, or the settings of a known one, which begins anew. */
  saveChannel(channel: AlertChannelSettings): Promise<void>;
  noteDelivery(channel: string, delivery: AlertDelivery): Promise<void>;
  /** Deletes a channel and all that it was told; returns whether there was one. */
  removeChannel(name: string): Promise<boolean>;
  list(): Promise<readonly AlertRecord[]>;
  /**
   * Stores a state where the record is still of the version that was read, 0 for a new one; returns
   * whether it was.
   */
  replace(record: AlertKey, state: unknown): Promise<boolean>;
  /** Deletes a record that is still of the version that was read; returns whether it was. */
  remove(record: AlertKey): Promise<boolean>;
}

/** Creates the repository of a store; alerts of other stores are not visible. */
export function createAlertRepository(options: RepositoryOptions): AlertRepository {
  return createOfStore(options, options.database.storeKey(options.store));
}

function createOfStore(options: RepositoryOptions, store: number): AlertRepository {
  const { clock } = options;
  const database = options.database.forStore(store);
  const { build } = database;
  return {
    of: (other) => createOfStore(options, other),
    async listChannels() {
      const query = build
        .selectFrom("alert_channel")
        .selectAll()
        .where("store", "=", store)
        .orderBy("name");
      return (await database.execute(database.all(query))).map(toChannel);
    },
    async saveChannel({ name, kind, settings }) {
      const columns = { kind, settings_json: toJson(settings), delivery_json: null };
      const query = build
        .insertInto("alert_channel")
        .values({ ...columns, store, name, created_at_ms: clock.now() })
        .onConflict((conflict) => conflict.columns(["store", "name"]).doUpdateSet(columns));
      await database.execute(database.run(query));
    },
    async noteDelivery(name, delivery) {
      const query = build
        .updateTable("alert_channel")
        .set({ delivery_json: toJson(delivery) })
        .where("store", "=", store)
        .where("name", "=", name);
      await database.execute(database.run(query));
    },
    async removeChannel(name) {
      const told = build.deleteFrom("alert").where("store", "=", store).where("channel", "=", name);
      const channel = build
        .deleteFrom("alert_channel")
        .where("store", "=", store)
        .where("name", "=", name);
      return await database.transaction(function* remove() {
        yield* database.run(told);
        return (yield* database.run(channel)) > 0;
      });
    },
    async list() {
      const query = build
        .selectFrom("alert")
        .select(["channel", "subject", "version", "state_json"])
        .where("store", "=", store);
      const found = await database.execute(database.all(query));
      return found.map((row) => ({
        channel: row.channel,
        subject: row.subject,
        version: row.version,
        state: fromJson(row.state_json),
      }));
    },
    async replace({ channel, subject, version }, state) {
      const columns = {
        version: version + 1,
        state_json: toJson(state),
        updated_at_ms: clock.now(),
      };
      if (version === 0) {
        const insert = build
          .insertInto("alert")
          .values({ ...columns, store, channel, subject })
          .onConflict((conflict) => conflict.columns(["store", "channel", "subject"]).doNothing());
        return (await database.execute(database.run(insert))) > 0;
      }
      const update = build
        .updateTable("alert")
        .set(columns)
        .where("store", "=", store)
        .where("channel", "=", channel)
        .where("subject", "=", subject)
        .where("version", "=", version);
      return (await database.execute(database.run(update))) > 0;
    },
    async remove({ channel, subject, version }) {
      const removal = build
        .deleteFrom("alert")
        .where("store", "=", store)
        .where("channel", "=", channel)
        .where("subject", "=", subject)
        .where("version", "=", version);
      return (await database.execute(database.run(removal))) > 0;
    },
  };
}

const deliverySchema: z.ZodType<AlertDelivery> = z.object({
  atMs: z.number(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
  arrivedAtMs: z.number().optional(),
});

const toChannel = (row: AlertSchema["alert_channel"]): AlertChannelRecord => ({
  name: row.name,
  kind: row.kind,
  settings: fromJson(row.settings_json),
  delivery: parseNote(row.delivery_json ?? undefined, deliverySchema),
});
