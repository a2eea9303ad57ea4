/**
 * Loaded by `node --import` before the program: shortens its waits, removes guards and lets it die
 * as instructed. The instructions are JSON in the environment.
 */

import { replaceWhileLoading } from "../mutants/replace-source.ts";
import { readOrders } from "./child-orders.ts";
import { CONTROLS } from "./controls.ts";
import { crashPointOf, SHORT_WAITS } from "./crash-points.ts";

const { crash, control } = readOrders(process.env);

let calls = 0;
Object.assign(globalThis, {
  crashAt(name: string) {
    if (name !== crash?.point) return;
    calls += 1;
    const signal = crash.isSuspended === true ? "SIGSTOP" : "SIGKILL";
    if (calls === crash.nth) process.kill(process.pid, signal);
  },
});

replaceWhileLoading([
  ...SHORT_WAITS,
  ...(crash === undefined ? [] : [crashPointOf(crash.point).replacement]),
  ...(control === true ? CONTROLS : []),
]);
