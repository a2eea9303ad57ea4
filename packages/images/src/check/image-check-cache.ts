/** What is remembered of pictures between runs, which this package needs and a store provides. */
export interface PictureMemory {
  /** What was written last under the key. */
  read<Memo>(key: string): Promise<Memo | undefined>;
  write(key: string, memo: unknown): Promise<void>;
}
