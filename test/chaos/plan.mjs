// What happens when, drawn from a seed. The same seed draws the same faults in the same order; how far a run gets is its own affair.
import { Random } from '../e2e/lib/random.mjs';

/** Numbers of its own for each part of a run, so that the speed of one does not change what another draws. */
export function stream(seed, name) {
  let hash = 2166136261;
  for (const letter of `${seed} ${name}`) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return new Random(hash >>> 0);
}

/** When a daemon is killed: before it listens, while it catches up, or at work. */
const drawMoment = (random, quick) => random.weighted([
  [2, { from: 'spawn', ms: random.below(60) }],
  [3, { from: 'listen', ms: random.below(40) }],
  [5, { from: 'listen', ms: random.between(40, quick ? 250 : 2000) }],
]);

const LIFE = {
  kill: random => drawMoment(random, false),
  hang: random => ({ from: 'listen', ms: random.between(50, 1000), for: random.between(20, 3000) }),
  hangKill: random => ({ from: 'listen', ms: random.between(50, 1000), for: random.between(20, 1000) }),
  restart: random => ({ from: 'listen', ms: random.between(0, 1000) }),
  term: random => ({ from: 'listen', ms: random.between(0, 1000) }),
  termKill: random => ({ from: 'listen', ms: random.between(0, 500), for: random.below(200) }),
  diskFull: random => ({ from: 'listen', ms: random.between(100, 1000), for: random.between(200, 3000) }),
  descriptors: random => ({ from: 'listen', ms: random.between(100, 1000), for: random.between(200, 2000), spare: random.below(4) }),
};

/** What a daemon goes through: in `storm` it dies, in `calm` it lives through the rest; `quick` is one kill after the other. */
const LIVES = {
  storm: [[50, 'kill'], [8, 'hang'], [6, 'hangKill'], [6, 'restart'], [6, 'term'], [8, 'termKill'], [8, 'diskFull'], [8, 'descriptors']],
  quick: [[1, 'kill']],
  calm: [[4, 'hang'], [3, 'diskFull'], [3, 'descriptors']],
};

/** The faults of the daemon, one after the other, without end: {fault, from, ms, …}. */
export function* lifeFaults(seed, kind) {
  const random = stream(seed, `life ${kind}`);
  for (;;) {
    const fault = random.weighted(LIVES[kind]);
    yield { fault, ...(kind === 'quick' ? drawMoment(random, true) : LIFE[fault](random)) };
  }
}

const AROUND = [
  [6, 'dropViewer'], [4, 'dropBoard'], [6, 'killHook'], [6, 'rename'], [4, 'reset'], [4, 'halfClosed'], [4, 'garbage'], [3, 'garbageOwner'],
  [3, 'upgradeJunk'], [2, 'slowRequest'], [3, 'slowBoard'], [3, 'slowViewer'], [4, 'resetPost'],
];

/** Those of everything around it: {fault, after: ms since the one before, draw: a number for what is left to chance}. */
export function* aroundFaults(seed) {
  const random = stream(seed, 'around');
  for (;;) yield { fault: random.weighted(AROUND), after: random.between(10, 250), draw: random.below(2 ** 32) };
}
