// The socket of one game or study: it reconnects by itself, and says how it stands.
import type { Command, LiveMessage } from './types';

export type Connection = 'connecting' | 'open' | 'lost' | 'gone';

export interface LiveListener<Message = LiveMessage> {
  message: (message: Message) => void;
  connection: (connection: Connection) => void;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5000;
const NO_SUCH_GAME = 4404;

/** The time to wait before the n-th attempt (from 0); `chance` in [0, 1) keeps tabs from knocking together. */
export function reconnectDelay(attempt: number, chance: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
  return Math.round(delay * (0.75 + 0.25 * chance));
}

export class LiveSocket<Sent, Message> {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer = 0;
  private closed = false;
  private readonly hurry = (): void => this.reconnectNow();

  constructor(
    private readonly path: string,
    private readonly listener: LiveListener<Message>,
  ) {
    // A laptop that wakes up, or a tab that comes back, should not wait for the delay to end.
    window.addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
    this.connect();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a command; says whether there was a connection to send it over. */
  send(command: Sent): boolean {
    if (!this.socket || !this.isOpen) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    // Closing before it is open makes browsers complain; then it is closed as soon as it opens.
    if (this.isOpen) this.socket?.close();
  }

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    if (this.attempt === 0) this.listener.connection('connecting');
    socket.addEventListener('open', () => {
      this.attempt = 0;
      if (this.closed) socket.close();
      else this.listener.connection('open');
    });
    socket.addEventListener('message', (event) => {
      if (!this.closed) this.listener.message(JSON.parse(String(event.data)) as Message);
    });
    socket.addEventListener('close', (event) => {
      if (!this.closed && this.socket === socket) this.lost(event.code);
    });
  }

  private lost(code: number): void {
    if (code === NO_SUCH_GAME) {
      this.close();
      this.listener.connection('gone');
      return;
    }
    this.listener.connection('lost');
    this.timer = window.setTimeout(() => this.connect(), reconnectDelay(this.attempt, Math.random()));
    this.attempt += 1;
  }

  private reconnectNow(): void {
    if (this.closed || document.hidden || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.connect();
  }
}

export class LiveGame extends LiveSocket<Command, LiveMessage> {
  constructor(id: string, listener: LiveListener) {
    super(`/api/games/${encodeURIComponent(id)}/live`, listener);
  }
}
