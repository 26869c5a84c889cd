// The server's addresses for training runs as functions.
import { json } from '../server/http';
import type { CheckpointView, ReplayList, RunList, RunView } from '../server/types';

const address = (name: string, ...more: string[]): string =>
  ['/api/runs', name, ...more].map((part, place) => (place === 0 ? part : encodeURIComponent(part))).join('/');

export const listRuns = (): Promise<RunList> => json('GET', '/api/runs');
export const getRun = (name: string): Promise<RunView> => json('GET', address(name));
export const newestGames = (name: string): Promise<ReplayList> => json('GET', address(name, 'games'));
export const getCheckpoint = (name: string, checkpoint: string): Promise<CheckpointView> =>
  json('GET', address(name, 'checkpoints', checkpoint));
