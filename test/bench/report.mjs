// The table of `make bench`.
const rows = [];

export function format(n) {
  return n >= 1000 ? Math.round(n).toLocaleString('en-US') : n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** One line of the table. `target` is [comparison, number]: what the value must keep to. */
export function report(what, value, unit, target, note = '') {
  const [comparison, limit] = target ?? [];
  const good = !target || (comparison === '≤' ? value <= limit : value >= limit);
  rows.push({ what, value: `${format(value)} ${unit}`, target: target ? `${comparison} ${format(limit)} ${unit}` : '', good, note });
  console.log(`  ${what}: ${format(value)} ${unit} ${note}`);
}

/** Prints the whole table; true when every target was kept. */
export function printTable() {
  const width = Math.max(...rows.map(row => row.what.length));
  console.log();
  for (const { what, value, target, good, note } of rows)
    console.log(`${what.padEnd(width)}  ${value.padStart(14)}  ${target.padStart(14)}  ${target ? (good ? 'ok  ' : 'MISS') : '    '}  ${note}`);
  return rows.every(row => row.good);
}
