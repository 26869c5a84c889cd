// The question that a view waits for: a newer one takes its place, and who leaves wants no answer.

export class Question {
  private newest: AbortController | null = null;

  /** Asks, and drops what was asked before; the answer is null if this question is dropped in turn. */
  async answer<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.drop();
    const own = new AbortController();
    this.newest = own;
    try {
      const found = await ask(own.signal);
      return own.signal.aborted ? null : found;
    } catch (error) {
      if (own.signal.aborted) return null;
      throw error;
    }
  }

  /** Ends the request: the server notices, and its search ends too. */
  drop(): void {
    this.newest?.abort();
  }
}
