// The server's addresses for Go as functions.
import { json } from '../server/http';
import type { GoView, Judgement, SgfCheck, Square } from '../server/types';

const address = (id: string, what: string): string => `/api/games/${encodeURIComponent(id)}/${what}`;

export const goView = (id: string): Promise<GoView> => json('GET', address(id, 'go'));
export const markDead = (id: string, revision: number, square: Square): Promise<GoView> =>
  json('POST', address(id, 'dead'), { revision, square });
export const judgement = (id: string, ply: number): Promise<Judgement> =>
  json('GET', address(id, `judgement?ply=${ply}`));
export const checkSgf = (sgf: string): Promise<SgfCheck> => json('POST', '/api/go/sgf', { sgf });
export const sgfUrl = (id: string): string => address(id, 'sgf');
