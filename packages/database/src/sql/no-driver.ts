import { DummyDriver } from "kysely";

/** Builds and compiles queries only; rejects when one is executed through it. */
export class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return Promise.reject(new Error("give the query to the database instead of executing it"));
  }
}
