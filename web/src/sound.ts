// Short sounds made on the spot: no files to load.
import { settings } from './settings';

type Sound = 'move' | 'capture' | 'check' | 'end';

// Frequency in Hz and loudness of each knock; they follow each other closely.
const KNOCKS: Record<Sound, readonly (readonly [number, number])[]> = {
  move: [[260, 0.5]],
  capture: [
    [340, 0.5],
    [210, 0.6],
  ],
  check: [
    [520, 0.35],
    [660, 0.35],
  ],
  end: [
    [392, 0.4],
    [330, 0.4],
    [262, 0.5],
  ],
};

const GAP_S = 0.09;
const LENGTH_S = 0.12;

let context: AudioContext | null = null;

/** Plays a sound if the user wants sounds. */
export function playSound(sound: Sound): void {
  if (!settings().sound) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  KNOCKS[sound].forEach(([frequency, loudness], index) => knock(frequency, loudness, start + index * GAP_S));
}

function knock(frequency: number, loudness: number, at: number): void {
  if (!context) return;
  const tone = new OscillatorNode(context, { type: 'triangle', frequency });
  const volume = new GainNode(context, { gain: 0 });
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, at + LENGTH_S);
  volume.gain.setValueAtTime(loudness, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + LENGTH_S);
}
