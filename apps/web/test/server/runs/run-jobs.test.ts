import type { EndedCommand, StartCommand } from "@catalog/jobs";
import { describe, expect, it } from "vitest";

import { RunJobs } from "../../../src/server/runs/run-jobs.ts";

interface FakeCommand {
  readonly words: readonly string[];
  stops: number;
  readonly end: (ended?: Partial<EndedCommand>) => Promise<void>;
}

/** Commands that do nothing until they are ended. */
function createFakeCommands(): {
  readonly start: StartCommand;
  readonly commands: readonly FakeCommand[];
} {
  const commands: FakeCommand[] = [];
  const start: StartCommand = (words) => {
    const { promise, resolve } = Promise.withResolvers<EndedCommand>();
    const command: FakeCommand = {
      words,
      stops: 0,
      async end(ended = {}) {
        resolve({ exit: 0, document: {}, errors: "", ...ended });
        await promise;
      },
    };
    commands.push(command);
    return {
      pid: 1,
      ended: promise,
      onProgress: () => undefined,
      stop: () => {
        command.stops += 1;
      },
    };
  };
  return { start, commands };
}

const CUT_OFF = { exit: 137, document: undefined } as const;
const BROKEN = { document: { error: { code: "E_BREAKER", message: "Mağaza yanıt vermiyor." } } };

describe("RunJobs", () => {
  it("tells a pause from a failure, also of a command that could not listen yet", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"]);

    const isAsked = jobs.pause("r1");
    const whileStopping = [jobs.isSending("r1"), jobs.isPaused("r1")];
    await commands[0]?.end(CUT_OFF);

    expect([isAsked, ...whileStopping]).toEqual([true, true, false]);
    expect([jobs.isSending("r1"), jobs.isPaused("r1")]).toEqual([false, true]);
    expect(jobs.problemOf("r1", "tr")).toBeNull();
  });

  it("tells of a command that was cut off by nobody on the page", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"]);

    await commands[0]?.end(CUT_OFF);

    expect(jobs.problemOf("r1", "tr")?.code).toBe("E_COMMAND");
    expect(jobs.isPaused("r1")).toBe(false);
  });

  it("takes a failure for the end where a pause came too late", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"]);

    jobs.pause("r1");
    await commands[0]?.end(BROKEN);

    expect(jobs.problemOf("r1", "tr")?.code).toBe("E_BREAKER");
    expect(jobs.isPaused("r1")).toBe(false);
  });

  it("asks a command once, as a second signal would cut it off", () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"]);

    jobs.pause("r1");
    jobs.pause("r1");

    expect(commands[0]?.stops).toBe(1);
  });

  it("starts one command at a time for a run, and another one after its end (#37)", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);

    const isStarted = [1, 2, 3, 4].map(() => jobs.send("r1", ["apply"]));
    const ofOther = jobs.send("r2", ["apply"]);
    await commands[0]?.end(BROKEN);
    const later = jobs.send("r1", ["resume"]);

    expect(isStarted).toEqual([true, false, false, false]);
    expect([ofOther, later, commands.length]).toEqual([true, true, 3]);
  });

  it("knows the words of an approval that was paused, until the workers go on with its run", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply", "--canary=3"]);
    jobs.pause("r1");
    await commands[0]?.end(CUT_OFF);

    const known = [jobs.wordsOf("r1"), jobs.wordsOf("r2"), jobs.isPaused("r1")];
    jobs.forget("r1");

    expect(known).toEqual([["apply", "--canary=3"], null, true]);
    expect([jobs.wordsOf("r1"), jobs.isPaused("r1")]).toEqual([null, false]);
  });

  it("takes a plan that is made from a run for no sending of it", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);

    const ended = jobs.prepare("r1", "undo", ["--plan"]);
    const during = [jobs.isSending("r1"), jobs.preparation("r1"), jobs.preparation("r2")];
    const ofStore = jobs.preparation();
    await commands[0]?.end(BROKEN);
    await ended;

    expect([...during, ofStore]).toEqual([false, "undo", null, "undo"]);
    expect([jobs.preparation("r1"), jobs.preparation()]).toEqual([null, null]);
    expect(jobs.problemOf("r1", "tr")).toBeNull();
  });
});
