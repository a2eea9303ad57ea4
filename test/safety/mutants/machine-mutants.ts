/** Rules that keep two machines from sending the same row, or more calls than an hour allows, and jobs from ending early. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const MACHINE_MUTANTS: readonly Mutant[] = [
  mutant("sends-without-lease", "a request is started although the lease was not renewed in time", {
    file: SOURCE_PATHS.leasedBeginnings,
    from: "if (!lease().mayStillSend()) throw",
    to: 'if (lease().key === "") throw',
  }),
  mutant("wall-clock-only", "a lease is believed by the wall clock, which may be put back", {
    file: SOURCE_PATHS.leases,
    from: "monotonicMs() - renewed.monotonicMs < SEND_WITHIN_MS &&",
    to: "monotonicMs() - renewed.monotonicMs < Infinity &&",
  }),
  mutant("claims-without-epoch", "a row is claimed by the owner of a lease that has passed on", {
    file: SOURCE_PATHS.leases,
    from: "if ((yield* readEpoch({}))?.epoch === epoch) return;",
    to: "if ((yield* readEpoch({})) !== undefined) return;",
  }),
  mutant("writes-without-epoch", "an owner that has lost its lease moves rows and ends the run", {
    file: SOURCE_PATHS.leasedDatabase,
    from: "transaction: (work) => database.transaction(leased(work)),",
    to: "transaction: (work) => database.transaction(work),",
  }),
  mutant("settles-without-epoch", "an owner that has lost its lease settles and stores rows", {
    file: SOURCE_PATHS.leasedDatabase,
    from: "transactionUnsynced: (work) => database.transactionUnsynced(leased(work)),",
    to: "transactionUnsynced: (work) => database.transactionUnsynced(work),",
  }),
  mutant("forgets-its-loss", "an owner that has ended with its lost lease goes on writing", {
    file: SOURCE_PATHS.leases,
    from: "if (isGivenBack && owned.get(key)?.epoch === epoch) owned.delete(key);",
    to: "if (owned.get(key)?.epoch === epoch) owned.delete(key);",
  }),
  mutant("leads-without-epoch", "a process that leads no more says what became of a schedule", {
    file: SOURCE_PATHS.schedules,
    from: "progress !== undefined || result !== undefined;",
    to: "progress !== undefined && result !== undefined;",
  }),
  mutant("takes-early", "a lease is taken while a request of its owner may be under way", {
    file: SOURCE_PATHS.leases,
    from: "(until_ms + ${sql.lit(GRACE_MS)} < ${SERVER_MS})",
    to: "(until_ms < ${SERVER_MS})",
  }),
  mutant("take-over-to-ready", "what another machine was sending is sent again", {
    file: SOURCE_PATHS.ledger,
    from: "const outcome = isProven ? UNSENT : UNKNOWN;",
    to: "const outcome = found.length > 0 ? UNSENT : UNKNOWN;",
  }),
  mutant("ignores-late-answers", "an answer that came after a take-over is thrown away", {
    file: SOURCE_PATHS.ledger,
    from: 'if (!(outcome.to === "done" || isStock) || attempt === undefined) return false;',
    to: "if (attempt !== null) return false;",
  }),
  mutant("late-settles-another", "a late answer settles a row that was begun again", {
    file: SOURCE_PATHS.ledger,
    from: 'return yield* moves.tryEnd({ ...key, attempt, from: "ambiguous" }, late, nowMs);',
    to: 'return yield* moves.tryEnd({ ...key, from: "sending" }, late, nowMs);',
  }),
  mutant("machine-clock", "machines whose clocks differ give the same slot twice", {
    file: SOURCE_PATHS.serverClock,
    from: "return Math.round(serverMs + elapsedMs);",
    to: "return elapsedMs < 0 ? 0 : clock.now();",
  }),
  mutant("database-ends-job", "a job ends because its command lost the store or its database", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (isFinished || isLate || needsPerson",
    to: "if (isFinished || isLate || result.exit === 2 || needsPerson",
  }),
  mutant("error-ends-job", "a job ends with an error of its command", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "const isFinished = FINISHED.has(result.exit) && result.code === null;",
    to: "const isFinished = FINISHED.has(result.exit);",
  }),
  mutant("rest-ends-job", "a job ends with a command that left rows without a reason", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "needsPerson(result.code)",
    to: "needsPerson(result.code) || result.exit === 6",
  }),
  mutant("signal-ends-job", "a job ends with a command that was stopped by no person", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (isStopAsked) return",
    to: "if (isStopAsked || result.exit === STOPPED.exit) return",
  }),
  mutant("busy-ends-job", "a job ends because another process works on the store", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (result.exit === BUSY) {",
    to: "if (result.exit === BUSY) return { isOver: true, result };\n  if (result.exit === STOPPED.exit) {",
  }),
  mutant("failures-end-job", "a job ends after a number of attempts that have failed", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "const counted = lastedMs > LONG_MS ? 1 : before.failures + 1;",
    to: "const counted = lastedMs > LONG_MS ? 1 : before.failures + 1;\n  if (counted > 10) return { isOver: true, result };",
  }),
  mutant("bug-ends-job", "a job ends with a bug", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (isFinished || isLate || needsPerson",
    to: "if (isFinished || isLate || result.exit === 1 || needsPerson",
  }),
  mutant("death-ends-job", "a job ends with the death of its command", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (isFinished || isLate || needsPerson",
    to: "if (isFinished || isLate || result.exit === 137 || needsPerson",
  }),
  mutant("login-ends-job", "a job ends because the marketplace refused the login", {
    file: SOURCE_PATHS.judgeAttempt,
    from: "if (isFinished || isLate || needsPerson",
    to: "if (isFinished || isLate || result.exit === 4 || needsPerson",
  }),
];
