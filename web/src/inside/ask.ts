// What the page asks the server, as functions.
import { json } from '../server/http';
import type {
  CompareRequest,
  InsideList,
  InsideRequest,
  NetComparison,
  NnueInside,
  NodeTable,
  PlaneSet,
  PlanesRequest,
  SaliencyView,
  Terms,
  TreeMade,
  TreeNode,
  TreeRequest,
  TreeStep,
} from '../server/types';

const tree = (id: string): string => `/api/inside/trees/${encodeURIComponent(id)}`;

export const listNets = (): Promise<InsideList> => json('GET', '/api/inside');
export const growTree = (wanted: TreeRequest, signal: AbortSignal): Promise<TreeMade> =>
  json('POST', '/api/inside/trees', wanted, signal);
export const treeStep = (id: string, step: number): Promise<TreeStep> => json('GET', `${tree(id)}/steps/${step}`);
export const nodeTable = (id: string, node: number, step: number): Promise<NodeTable> =>
  json('GET', `${tree(id)}/moves?node=${node}&step=${step}`);

/** A part of a tree: `plies` below a node, with the nodes of a path however deep they are. */
export function subtree(
  id: string,
  node: number,
  step: number,
  plies: number,
  most: number,
  keep: readonly number[],
): Promise<TreeNode> {
  const kept = keep.map((number) => `&keep=${number}`).join('');
  return json('GET', `${tree(id)}?node=${node}&step=${step}&plies=${plies}&most=${most}${kept}`);
}

export const terms = (asked: InsideRequest, signal: AbortSignal): Promise<Terms> =>
  json('POST', '/api/inside/terms', asked, signal);
export const nnue = (asked: InsideRequest, signal: AbortSignal): Promise<NnueInside> =>
  json('POST', '/api/inside/nnue', asked, signal);
export const planes = (asked: PlanesRequest, signal: AbortSignal): Promise<PlaneSet> =>
  json('POST', '/api/inside/planes', asked, signal);
export const saliency = (asked: InsideRequest, signal: AbortSignal): Promise<SaliencyView> =>
  json('POST', '/api/inside/saliency', asked, signal);
export const compare = (asked: CompareRequest, signal: AbortSignal): Promise<NetComparison> =>
  json('POST', '/api/inside/compare', asked, signal);
