/** The interface of a handler, and what it is created from. */

import type { Clock } from "@catalog/clock";
import type { Endpoint, Endpoints } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import type { TokenService } from "../http/token-service.ts";
import type { Market } from "../market-state.ts";
import type { ProductState } from "../products/product-state.ts";
import type { StatsCounter } from "../stats.ts";

/** Facts of a request that a handler may use besides its input. */
export interface Call {
  readonly ip: string;
}

/**
 * Answers one endpoint with its `data`, or throws a refusal. Declared as a method, so that handlers
 * of different inputs fit into one table: the endpoint's schema has been applied before.
 */
export interface Handler<Input, Data> {
  answer(input: Input, call: Call): Data;
}

type HandlerOf<Row> = Row extends Endpoint<infer Input, infer Data> ? Handler<Input, Data> : never;

/** One handler for every row of the table; leaving one out does not compile. */
export type Handlers = {
  readonly [Group in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Group]]: HandlerOf<Endpoints[Group][Name]>;
  };
};

export interface HandlersOptions {
  readonly catalog: SandboxCatalog;
  readonly store: ProductState;
  readonly market: Market;
  readonly tokens: TokenService;
  readonly stats: StatsCounter;
  readonly clock: Clock;
  readonly behavior: Behavior;
}
