// One study as this tab sees it: the server's tree, the edits on their way there, and the position being looked at.
import { parseFen } from '../chess/fen';
import { type Connection, LiveSocket, type LiveListener } from '../server/live';
import type { Position, Side } from '../server/types';
import type {
  AnalyseCommand,
  Edit,
  EngineView,
  PeopleHere,
  Place,
  Review,
  StudyCommand,
  StudyMessage,
  StudyNode,
  StudyView,
  Tried,
} from './types';

export interface StudyListener {
  /** The tree, the position that is shown or what is known of it changed. */
  changed: () => void;
  /** An engine said something, or was turned off. */
  engine: (view: EngineView) => void;
  review: () => void;
  tried: (tried: Tried) => void;
  people: (people: PeopleHere) => void;
  /** An edit was refused; its text, if it had one, should not be lost. */
  refused: (message: string, edit: Edit | null) => void;
  connection: (connection: Connection) => void;
  /** The study does not exist (any more). */
  gone: () => void;
}

/** What a study needs of its socket; a test brings its own. */
export interface Live {
  send: (command: StudyCommand) => boolean;
  close: () => void;
}

const LOOK_MS = 40;
const NO_CONNECTION = 'There is no connection right now; please try again soon.';

export class Study {
  view: StudyView | null = null;
  nodes = new Map<number, StudyNode>();
  current = 0;
  review: Review | null = null;
  /** How far a review is; null while none is made. */
  reviewing: { done: number; total: number } | null = null;
  private readonly places = new Map<number, Place>();
  private readonly live: Live;
  private readonly orders = new Map<Side, AnalyseCommand>();
  /** Edits that the server has not confirmed; only the first is on its way. */
  private edits: { edit: Edit; id: number; path: string[] }[] = [];
  private nextId = 1;
  private timer = 0;

  constructor(
    id: string,
    private readonly listener: StudyListener,
    connect: (path: string, listener: LiveListener<StudyMessage>) => Live = (path, listener) =>
      new LiveSocket<StudyCommand, StudyMessage>(path, listener),
  ) {
    this.live = connect(`/api/studies/${encodeURIComponent(id)}/live`, {
      message: (message) => this.receive(message),
      connection: (connection) => this.connectionChanged(connection),
    });
  }

  close(): void {
    clearTimeout(this.timer);
    this.live.close();
  }

  get node(): StudyNode | null {
    return this.nodes.get(this.current) ?? null;
  }

  get place(): Place | null {
    return this.places.get(this.current) ?? null;
  }

  /** Whether an edit is on its way; the board may show it already. */
  get isEditing(): boolean {
    return this.edits.length > 0;
  }

  /** The nodes from the start to one, both included. */
  lineTo(id: number): StudyNode[] {
    const line: StudyNode[] = [];
    for (let node = this.nodes.get(id); node; node = node.parent === null ? undefined : this.nodes.get(node.parent)) {
      line.unshift(node);
    }
    return line;
  }

  /** The nodes of the main line, the start first. */
  mainLine(): StudyNode[] {
    const line: StudyNode[] = [];
    for (let node = this.nodes.get(0); node; node = this.nodes.get(node.children[0] ?? -1)) line.push(node);
    return line;
  }

  /** Shows another position. */
  select(id: number): void {
    if (!this.nodes.has(id) || id === this.current) return;
    this.current = id;
    this.lookSoon();
    this.listener.changed();
  }

  /** Forward or backward along the line that is shown; infinity is its end. */
  step(by: number): void {
    let node = this.node;
    for (let count = 0; node && count < Math.abs(by); count += 1) {
      const next = by > 0 ? node.children[0] : node.parent;
      if (next === undefined || next === null) break;
      node = this.nodes.get(next) ?? null;
    }
    if (node) this.select(node.id);
  }

  /** The next or previous among the moves that were played instead of this one. */
  stepAside(by: 1 | -1): void {
    const siblings = this.node?.parent === null ? [] : (this.nodes.get(this.node?.parent ?? -1)?.children ?? []);
    const next = siblings[siblings.indexOf(this.current) + by];
    if (next !== undefined) this.select(next);
  }

  edit(edit: Edit): void {
    const path = 'node' in edit ? this.lineTo(edit.node).map(({ text }) => text) : [];
    this.edits.push({ edit, id: this.nextId, path });
    this.nextId += 1;
    if (this.edits.length === 1) this.sendEdit();
  }

  /** Lets an engine analyse, or ends it; the order holds until the next one, whatever happens to the connection. */
  order(seat: Side, order: AnalyseCommand | null): void {
    if (order) this.orders.set(seat, order);
    else this.orders.delete(seat);
    this.live.send(order ?? { type: 'stop', seat });
  }

  send(command: StudyCommand): boolean {
    const sent = this.live.send(command);
    if (!sent) this.listener.refused(NO_CONNECTION, null);
    return sent;
  }

  private sendEdit(): void {
    const [first] = this.edits;
    if (!first || !this.view) return;
    // Without a connection the edit waits: it is sent when the server is back with the same study.
    this.live.send({ ...first.edit, revision: this.view.revision, id: first.id });
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    // Whoever holds a key down runs through positions that nobody needs to judge.
    this.timer = window.setTimeout(() => this.live.send({ type: 'look', node: this.current }), LOOK_MS);
  }

  private connectionChanged(connection: Connection): void {
    if (connection === 'gone') this.listener.gone();
    this.listener.connection(connection);
  }

  private receive(message: StudyMessage): void {
    switch (message.type) {
      case 'study':
        this.receiveStudy(message.study);
        break;
      case 'change':
        this.receiveChange(message);
        break;
      case 'place':
        this.places.set(message.node, message);
        this.listener.changed();
        break;
      case 'engine':
        this.listener.engine(message);
        break;
      case 'review':
        this.review = message.review;
        this.reviewing = null;
        this.listener.review();
        break;
      case 'reviewing':
        this.reviewing = message.total ? message : null;
        this.listener.review();
        break;
      case 'people':
        this.listener.people(message);
        break;
      case 'tried':
        this.listener.tried(message);
        break;
      case 'error':
        this.receiveError(message.message, message.code === 'bad_message' ? this.edits[0]?.id : message.reply_to);
        break;
      case 'deleted':
        this.listener.gone();
        break;
    }
  }

  /** Takes the whole study in: at the start, after a broken connection, or when this tab was behind. */
  private receiveStudy(view: StudyView): void {
    const path = this.lineTo(this.current).map(({ text }) => text);
    const isFirst = this.view === null;
    const isSame = this.view?.revision === view.revision;
    this.view = view;
    this.nodes = new Map(view.nodes.map((node) => [node.id, node]));
    this.places.clear();
    this.current = this.find(path.slice(1)) ?? 0;
    if (isFirst) this.current = this.wanted();
    this.live.send({ type: 'look', node: this.current });
    for (const order of this.orders.values()) this.live.send(order);
    if (!isSame && !isFirst) this.dropEdits('The study has changed in another window; your last change was not made.');
    else this.resend();
    this.listener.changed();
  }

  /** The ply that the address asks for, on the main line. */
  private wanted(): number {
    const ply = Number(new URLSearchParams(location.search).get('ply') ?? 0);
    const line = this.mainLine();
    return line[Math.min(Math.max(0, ply), line.length - 1)]?.id ?? 0;
  }

  private resend(): void {
    const [first] = this.edits;
    if (first && 'node' in first.edit) {
      const node = this.find(first.path.slice(1));
      if (node === null) return this.dropEdits('Your last change could not be made.');
      first.edit.node = node;
    }
    this.sendEdit();
  }

  private dropEdits(message: string): void {
    const [first] = this.edits;
    this.edits = [];
    if (first) this.listener.refused(message, first.edit);
  }

  /** The node that moves lead to; null where they are not there. */
  private find(moves: readonly string[]): number | null {
    let node = this.nodes.get(0);
    for (const move of moves) {
      node = node?.children.map((id) => this.nodes.get(id)).find((child) => child?.text === move);
    }
    return node?.id ?? null;
  }

  private receiveChange(message: Extract<StudyMessage, { type: 'change' }>): void {
    if (!this.view) return;
    this.view.revision = message.revision;
    this.view.title = message.title;
    if (message.tags) this.view.tags = message.tags;
    const removed = new Set(message.removed);
    const path = this.lineTo(this.current);
    for (const id of removed) this.nodes.delete(id);
    for (const node of message.nodes) this.nodes.set(node.id, node);
    if (removed.has(this.current)) this.current = path.reverse().find(({ id }) => !removed.has(id))?.id ?? 0;
    if (message.reply_to !== null && this.edits[0]?.id === message.reply_to) {
      this.edits.shift();
      if (message.focus !== null && this.nodes.has(message.focus)) this.current = message.focus;
      this.sendEdit();
    }
    if (!this.place) this.live.send({ type: 'look', node: this.current });
    else this.lookSoon();
    this.listener.changed();
  }

  private receiveError(message: string, replyTo: number | null | undefined): void {
    const [first] = this.edits;
    if (first && first.id === replyTo) this.dropEdits(message);
    else this.listener.refused(message, null);
    this.listener.changed();
  }
}

/** A position of the study as boards draw it. */
export function positionOf(node: { fen: string; check: string | null }, ply = 0): Position {
  const fields = parseFen(node.fen);
  const side: Side = fields?.toMove === 'b' ? 1 : 0;
  return { text: node.fen, cells: fields?.cells ?? null, drawing: null, to_move: side, ply, check: node.check };
}
