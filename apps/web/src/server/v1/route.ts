/**
 * One route of the interface for programs as data: the server is made of it, and its description as
 * well, so that neither says what the other does not.
 */

import type { Lang } from "@catalog/i18n";
import type { NamedPerson } from "@catalog/runs";
import type { Comment, Role } from "@catalog/team";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import type { Watched } from "../events.ts";
import type { ReceivedFile } from "../files.ts";
import { parseInput } from "../site.ts";
import type { ProgramStore } from "./program-store.ts";

/** A request whose parts have been read. */
export interface ProgramCall<Query, Body> {
  /** Name of the person in whose name the key acts. */
  readonly by: NamedPerson;
  /** Address of the store, `/v1/stores/…`. */
  readonly base: string;
  readonly store: ProgramStore;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly lang: Lang;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /**
   * What an earlier request with the same key of repetition was about that was cut off, or a note for
   * a later one; see `RepeatedRequest`.
   */
  readonly repeated: RepeatNote;
  /** The body, where it is a file that has come; it is the route's to move or remove. */
  readonly file: ReceivedFile | undefined;
  /** Adds what the program says of a run for people. */
  readonly comment: (said: Pick<Comment, "run" | "row" | "text">) => Promise<Comment>;
  /** Takes over the answer, and sends the document whenever it has changed. */
  readonly watch: (reply: FastifyReply, watched: Watched) => void;
}

/** Notes what a request makes before it makes it, so that its repetition makes no second one. */
export interface RepeatNote {
  /** What a request that was cut off has noted. @default there was none */
  readonly subject: string | undefined;
  note(subject: string): void;
}

/** An answer; one with a stream has sent itself. */
export type ProgramAnswer =
  | { readonly status: 200 | 201 | 202; readonly body: unknown; readonly location?: string }
  | { readonly status: 204 }
  | { readonly status: "sent" };

/** What the description says of a route, and what is checked before it is carried out. */
export interface RouteFacts {
  readonly method: "get" | "post" | "patch" | "delete";
  /** Address after `/v1`, such as `/stores/{store}/runs/{run}`. */
  readonly path: string;
  readonly id: string;
  readonly needs: Role;
  readonly summary: string;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  /** Whether the body may also be a file, as raw bytes. @default false */
  readonly takesFile?: boolean;
  /** Status of the answer, and the document of {@link DOCUMENTS} that it holds. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, string | null>>>;
  /** Type of an answer that is no JSON. */
  readonly type?: "text/event-stream" | "application/octet-stream";
  /** What the record says of it. @default it changes nothing */
  readonly audit?: string;
  /** Longest JSON body. @default 1 MB */
  readonly bodyLimit?: number;
}

export interface ProgramRoute extends RouteFacts {
  /** Reads query and body, and carries it out. */
  readonly run: (call: ProgramCall<unknown, unknown>) => Promise<ProgramAnswer>;
}

/** Of a route that has no query, or no body. */
export const NOTHING: z.ZodType<undefined> = z.any().transform(() => undefined);

/** Makes a route whose function gets what its schemas read. */
export const programRoute = <Query, Body>(
  facts: Omit<RouteFacts, "query" | "body"> & {
    readonly query: z.ZodType<Query>;
    readonly body: z.ZodType<Body>;
  },
  handle: (call: ProgramCall<Query, Body>) => Promise<ProgramAnswer>,
): ProgramRoute => ({
  ...facts,
  run: async (call) =>
    await handle({
      ...call,
      query: parseInput(facts.query, call.query),
      body: parseInput(facts.body, call.body),
    }),
});
