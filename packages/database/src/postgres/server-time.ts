import { type RawBuilder, sql } from "kysely";

/** The time of the server, in milliseconds since 1970. */
export const SERVER_MS: RawBuilder<number> = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
