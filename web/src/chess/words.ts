// Moves in words, for people who listen to the board.

const PIECES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };
const SAN = /^([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?([+#])?$/;

/** "Nbxd7+" becomes "knight b takes d7, check"; what is not SAN stays as it is. */
export function spokenMove(san: string): string {
  const check = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  if (san.startsWith('O-O-O')) return `castles queenside${check}`;
  if (san.startsWith('O-O')) return `castles kingside${check}`;
  const match = SAN.exec(san);
  if (!match) return san;
  const [, piece, file, rank, takes, square, promotion] = match;
  const words = [piece ? PIECES[piece] : '', `${file ?? ''}${rank ?? ''}`, takes ? 'takes' : '', square];
  const promoted = promotion ? `, promotes to ${PIECES[promotion]}` : '';
  return `${words.filter(Boolean).join(' ')}${promoted}${check}`;
}
