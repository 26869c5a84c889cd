// A clock's face: it counts down here between the server's messages; the server's clock decides.
import { h, setShown, setText } from '../dom';

const LOW_MS = 20_000;
const TENTHS_MS = 10_000;

/** "12:05", "1:02:03", and with tenths when it gets close: "0:09.3". */
export function formatClock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < TENTHS_MS) {
    const tenths = Math.floor(left / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(left / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** "5 minutes 3 seconds", for screen readers. */
export function spokenClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const parts = [minutes > 0 && `${minutes} minutes`, `${seconds % 60} seconds`];
  return parts.filter(Boolean).join(' ');
}

export class ClockFace {
  readonly element = h('div', { class: 'clock', role: 'timer', hidden: true });
  private remaining = 0;
  private since = 0;
  private isRunning = false;
  private timer = 0;

  /** `flagged` is called once when the time shown here has run out. */
  constructor(private readonly flagged: () => void) {}

  /** Takes over the server's time, as it was at `since` on this page's clock; null hides the face. */
  set(remaining: number | null, running: boolean, since: number): void {
    setShown(this.element, remaining !== null);
    clearInterval(this.timer);
    this.remaining = remaining ?? 0;
    this.since = since;
    this.isRunning = running && remaining !== null;
    if (this.isRunning) this.timer = window.setInterval(() => this.tick(), 100);
    this.draw();
  }

  /** What is left now. */
  left(): number {
    return this.remaining - (this.isRunning ? performance.now() - this.since : 0);
  }

  destroy(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    this.draw();
    if (this.left() > 0) return;
    clearInterval(this.timer);
    this.flagged();
  }

  private draw(): void {
    const left = this.left();
    setText(this.element, formatClock(left));
    this.element.classList.toggle('running', this.isRunning);
    this.element.classList.toggle('low', left < LOW_MS);
  }
}
