// Figures of many measurements.

/** The value below which so many per cent are, by rank. */
export function percentile(values, per) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * per / 100) - 1)];
}

/** Lists by what `key` answers. */
export function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) groups.set(key(value), [...groups.get(key(value)) ?? [], value]);
  return groups;
}
