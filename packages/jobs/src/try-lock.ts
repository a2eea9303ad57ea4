import { DatabaseError } from "@catalog/database";

/** Takes a lock; `undefined` while another process holds it. */
export async function tryLock<Lock extends AsyncDisposable>(
  take: () => Promise<Lock>,
): Promise<Lock | undefined> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
    throw error;
  }
}
