// Numbers that look random and come again with the same seed.

/** OSTLER_SEED: a number to see those cases again, "new" (as in make test-all) for such as nobody has seen; else `usual`. */
export function drawnSeed(usual) {
  const asked = process.env.OSTLER_SEED;
  return asked === 'new' ? Date.now() % 2 ** 32 : Number(asked || usual);
}

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** 0 ≤ n < limit. */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /** from ≤ n ≤ to. */
  between(from, to) {
    return from + this.below(to - from + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** One of the values of [[weight, value], …]. */
  weighted(choices) {
    let at = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) if ((at -= weight) < 0) return value;
    return choices.at(-1)[1];
  }

  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  hex(digits) {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join('');
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`;
  }
}
