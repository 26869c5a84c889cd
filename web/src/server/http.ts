// The server's REST interface as functions.
import type {
  About,
  GameList,
  GameView,
  NewGame,
  Opponent,
  Position,
  PositionCheck,
  Rules,
  SettingValue,
} from './types';

/** An answer that is not the one we hoped for; its message is fit to be shown. */
export class ServerError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return send(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json', signal);
}

export async function send(
  method: string,
  path: string,
  body: BodyInit | undefined,
  type: string,
  signal: AbortSignal | null = null,
): Promise<Response> {
  // The back button would else be answered from the browser's memory, with settings of yesterday.
  const options: RequestInit = { method, cache: 'no-store', signal };
  if (body !== undefined) {
    options.body = body;
    options.headers = { 'Content-Type': type };
  }
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new ServerError('unreachable', 'philidor does not answer. Is it still running?');
  }
  if (!response.ok) throw await readError(response);
  return response;
}

async function readError(response: Response): Promise<ServerError> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return new ServerError(error.code, error.message);
  } catch {
    return new ServerError('internal', `The server answered with status ${response.status}.`);
  }
}

/** Hands a network file over; the answer is the opponent that it has become. */
export async function addNetwork(file: File): Promise<Opponent> {
  const path = `/api/nets/${encodeURIComponent(file.name)}`;
  return (await (await send('PUT', path, file, 'application/octet-stream')).json()) as Opponent;
}

/** Asks and reads the answer; folders with addresses of their own use it too. */
export async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await request(method, path, body, signal)).json()) as T;
}

export interface GameFilter {
  query: string;
  status: '' | 'playing' | 'over';
  page: number;
}

function filterQuery(filter: Partial<GameFilter>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) parameters.set(name, String(value));
  return parameters.toString();
}

export const about = (): Promise<About> => json('GET', '/api/about');
export const rules = (name: string): Promise<Rules> => json('GET', `/api/rules/${encodeURIComponent(name)}`);
export const createGame = (game: NewGame): Promise<GameView> => json('POST', '/api/games', game);
export const listGames = (filter: Partial<GameFilter>): Promise<GameList> =>
  json('GET', `/api/games?${filterQuery(filter)}`);
export const rematch = (id: string): Promise<GameView> => json('POST', `/api/games/${encodeURIComponent(id)}/rematch`);
export const playOn = (id: string): Promise<GameView> => json('POST', `/api/games/${encodeURIComponent(id)}/play_on`);
export const chess960 = (number: number): Promise<Position> => json('GET', `/api/chess960/${number}`);
export const checkPosition = (game: string, text: string): Promise<PositionCheck> =>
  json('POST', '/api/positions', { game, text });
export const checkPgn = (game: string, pgn: string): Promise<PositionCheck> =>
  json('POST', '/api/positions', { game, pgn });
export const saveSettings = (settings: Record<string, SettingValue | null>): Promise<Record<string, SettingValue>> =>
  json('PUT', '/api/settings', settings);

export async function deleteGame(id: string): Promise<void> {
  await request('DELETE', `/api/games/${encodeURIComponent(id)}`);
}

export const pgnUrl = (id: string): string => `/api/games/${encodeURIComponent(id)}/pgn`;
export const allPgnUrl = (filter: Partial<GameFilter>): string => `/api/games.pgn?${filterQuery(filter)}`;

/** Makes a study of a game, or finds the one that there is; returns where it is shown. */
export async function analyseGame(id: string): Promise<string> {
  const { study } = await json<{ study: string }>('POST', '/api/studies', { game: id });
  return `/analysis/${study}`;
}

/** The same of a position. */
export async function analysePosition(text: string): Promise<string> {
  const { study } = await json<{ study: string }>('POST', '/api/studies', { position: text });
  return `/analysis/${study}`;
}
