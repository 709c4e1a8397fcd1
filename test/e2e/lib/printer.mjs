// A program whose every byte is known: numbered lines of 16 bytes, so that an offset says what must be there.

export const LINE_BYTES = 16;

/** perl -e PRINTER STOP PAUSE [LINES]: prints LINES (64) at once every PAUSE seconds, until the file STOP is there. */
export const PRINTER = `$| = 1; my ($stop, $pause, $lines) = @ARGV; my $n = 0;
until (-e $stop) { my $text = ''; $text .= sprintf("line %09d\\n", $n++) for 1..($lines || 64); print $text; select(undef, undef, undef, $pause) if $pause; }
printf("last %09d\\n", $n);`;

const line = (word, n) => `${word} ${String(n).padStart(9, '0')}\r\n`;

/** What it has printed from one offset up to another, with the carriage returns that the terminal adds. */
export function expected(from, to) {
  let text = '';
  for (let n = Math.floor(from / LINE_BYTES); n * LINE_BYTES < to; n++) text += line('line', n);
  return text.slice(from % LINE_BYTES, from % LINE_BYTES + to - from);
}

/** Its last line, when it printed so many before. */
export const lastLine = n => line('last', n);
