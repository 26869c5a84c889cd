// FEN as the position editor needs it; whether a position is legal is the server's to say.

export interface FenFields {
  /** 64 characters, row by row from the bottom, "." for an empty square. */
  cells: string;
  toMove: 'w' | 'b';
  /** A subset of "KQkq", in this order; other letters (Chess960) are kept as they are. */
  castling: string;
  enPassant: string;
  halfmoves: string;
  fullmoves: string;
}

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
export const EMPTY_CELLS = '.'.repeat(64);

/** Reads a FEN as far as the editor can show it; null if its board cannot be drawn. */
export function parseFen(text: string): FenFields | null {
  const [board, toMove, castling, enPassant, halfmoves, fullmoves] = text.trim().split(/\s+/);
  const cells = parseBoard(board ?? '');
  if (cells === null) return null;
  return {
    cells,
    toMove: toMove === 'b' ? 'b' : 'w',
    castling: castling && castling !== '-' ? castling : '',
    enPassant: enPassant ?? '-',
    halfmoves: halfmoves ?? '0',
    fullmoves: fullmoves ?? '1',
  };
}

export function writeFen(fields: FenFields): string {
  const { cells, toMove, castling, enPassant, halfmoves, fullmoves } = fields;
  return [writeBoard(cells), toMove, castling || '-', enPassant, halfmoves, fullmoves].join(' ');
}

const CASTLING_PIECES: Record<string, readonly [king: number, rook: number]> = {
  K: [4, 7],
  Q: [4, 0],
  k: [60, 63],
  q: [60, 56],
};

/** The rights that the pieces allow: of "KQkq" those whose king and rook stand at home; other letters as they are. */
export function possibleCastling(castling: string, cells: string): string {
  const stands = (square: number, piece: string): boolean => cells[square] === piece;
  return [...castling]
    .filter((right) => {
      const squares = CASTLING_PIECES[right];
      const isWhite = right === right.toUpperCase();
      return !squares || (stands(squares[0], isWhite ? 'K' : 'k') && stands(squares[1], isWhite ? 'R' : 'r'));
    })
    .join('');
}

/** The FEN of the pieces alone. */
export function writeBoard(cells: string): string {
  const rows: string[] = [];
  for (let row = 7; row >= 0; row -= 1) {
    rows.push(cells.slice(row * 8, row * 8 + 8).replace(/\.+/g, (empty) => String(empty.length)));
  }
  return rows.join('/');
}

function parseBoard(board: string): string | null {
  const rows = board.split('/').map((row) => row.replace(/[1-8]/g, (digit) => '.'.repeat(Number(digit))));
  if (rows.length !== 8 || rows.some((row) => !/^[.KQRBNPkqrbnp]{8}$/.test(row))) return null;
  return rows.reverse().join('');
}
