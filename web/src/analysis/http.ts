// The addresses of studies and files of games as functions.
import { json, request, send } from '../server/http';
import type { Crowd, FileSummary, FileView, Imported, StudySummary } from './types';

const part = encodeURIComponent;

export const analysts = (): Promise<string[]> => json('GET', '/api/analysts');
export const crowds = (): Promise<Crowd[]> => json('GET', '/api/crowds');
export const newStudy = (wanted: {
  game?: string;
  file?: string;
  number?: number;
  position?: string;
}): Promise<Imported> => json('POST', '/api/studies', wanted);
export async function takeIn(text: Blob, name: string): Promise<Imported> {
  const path = `/api/studies/text?name=${part(name.slice(0, 60))}`;
  return (await (await send('POST', path, text, 'text/plain')).json()) as Imported;
}
export const listStudies = (query: string, page: number): Promise<{ studies: StudySummary[]; total: number }> =>
  json('GET', `/api/studies?query=${part(query)}&page=${page}&per_page=20`);
export const listFiles = (): Promise<{ files: FileSummary[] }> => json('GET', '/api/files');
export const listFileGames = (id: string, query: string, page: number): Promise<FileView> =>
  json('GET', `/api/files/${part(id)}?query=${part(query)}&page=${page}`);

export async function deleteStudy(id: string): Promise<void> {
  await request('DELETE', `/api/studies/${part(id)}`);
}

export async function deleteFile(id: string): Promise<void> {
  await request('DELETE', `/api/files/${part(id)}`);
}

export const studyPgnUrl = (id: string): string => `/api/studies/${part(id)}/pgn`;

/** Where what was imported is shown. */
export const pathOf = ({ study, file }: Imported): string =>
  study ? `/analysis/${study}` : `/analysis/file/${file ?? ''}`;
