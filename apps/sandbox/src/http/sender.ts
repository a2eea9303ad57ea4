/** Watches whether the sender of a call is still there. */

import type { Socket } from "node:net";

/**
 * Calls back once when the sender is gone, at once where it is already, and returns a function that
 * ends the watch. The server keeps half-open connections, so only the end of the sender's half
 * shows that it is gone.
 */
export function watchSender(socket: Socket, onGone: () => void): () => void {
  if (socket.destroyed || socket.readableEnded) {
    onGone();
    return () => undefined;
  }
  const stop = (): void => {
    for (const event of ["end", "close"]) socket.off(event, tell);
  };
  const tell = (): void => {
    stop();
    onGone();
  };
  for (const event of ["end", "close"]) socket.on(event, tell);
  return stop;
}
