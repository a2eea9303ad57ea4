/** What the program that obeys orders does before all else; the orders are JSON in the environment. */

import { readOrders } from "./child-orders.ts";

/** Lets the process die at a point, and removes its guards. */
export function obeyOrders(env: NodeJS.ProcessEnv): void {
  const { crash, control } = readOrders(env);
  let calls = 0;
  Object.assign(globalThis, {
    isControl: control === true,
    crashAt(name: string) {
      if (name !== crash?.point) return;
      calls += 1;
      const signal = crash.isSuspended === true ? "SIGSTOP" : "SIGKILL";
      if (calls === crash.nth) process.kill(process.pid, signal);
    },
  });
}
