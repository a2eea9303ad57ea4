/**
 * Stored checks of images between runs: the port that this package needs and the database provides.
 */
export interface ImageCheckCache {
  /** Reads the value that was written last under the key. */
  read<Memo>(key: string): Promise<Memo | undefined>;
  write(key: string, memo: unknown): Promise<void>;
}
