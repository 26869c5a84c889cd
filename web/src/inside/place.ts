// Where one looks: the position, and which network; the views share it.
import type { About, InsideList, InsideNet, Rules } from '../server/types';

export interface Place {
  about: About;
  rules: Rules;
  /** The position's text. */
  text: string;
  nets: readonly InsideNet[];
  orders: readonly string[];
  /** Waits for a position that was just typed, which brings an update first; false if it is none. */
  settled: () => Promise<boolean>;
}

/** The networks of one kind that fit the game. */
export function fitting({ nets, rules }: Place, kind: InsideNet['kind']): InsideNet[] {
  // The board decides what fits: komi and the ko rule are nothing that planes show.
  const board = (name: string): string => name.split(',')[0] ?? name;
  return nets.filter((net) => net.kind === kind && board(net.game) === board(rules.name));
}

export interface View {
  element: HTMLElement;
  /** Called when the position has changed. */
  update: (place: Place) => void;
  destroy?: () => void;
}

export function placeOf(
  about: About,
  list: InsideList,
  rules: Rules,
  text: string,
  settled: () => Promise<boolean>,
): Place {
  return { about, rules, text, nets: list.nets, orders: list.orders, settled };
}
