// The same numbers for the same seed, everywhere.
export class Random {
  constructor(seed) { this.state = (seed >>> 0) || 1; }
  next() {
    let t = this.state = (this.state + 0x6d2b79f5) >>> 0;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
  below(limit) { return this.next() % limit; }
  between(low, high) { return low + this.below(high - low + 1); }
  pick(list) { return list[this.below(list.length)]; }
  chance(percent) { return this.below(100) < percent; }
  text(alphabet, n) { let s = ''; for (let i = 0; i < n; i++) s += alphabet[this.below(alphabet.length)]; return s; }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz', UPPER = LOWER.toUpperCase(), DIGIT = '0123456789';
export const SET = { lower: LOWER, upper: UPPER, digit: DIGIT, letter: LOWER + UPPER, word: LOWER + UPPER + DIGIT, small: LOWER + DIGIT,
  capital: UPPER + DIGIT, hex: DIGIT + 'abcdef', url: LOWER + UPPER + DIGIT + '_-', base64: LOWER + UPPER + DIGIT + '+/' };
