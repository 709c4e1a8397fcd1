// docs/agents.md: CLI × scenario, how long until the board was right. Written by the live run, between two marks.
import fs from 'node:fs';
import path from 'node:path';
import { CLIS } from './cli/index.mjs';
import { VERSIONS } from './install.mjs';
import { OPEN } from './open.mjs';
import { SCENARIOS } from './scenarios/index.mjs';

const PAGE = path.resolve(import.meta.dirname, '../../docs/agents.md');
const BEGIN = '<!-- times: written by make test-real -->', END = '<!-- end of times -->';

/** The slowest step of a scenario, in seconds. */
const seconds = measures => measures.length ? `${(Math.max(...measures.map(({ ms }) => ms)) / 1000).toFixed(2)} s` : '✓';

const heading = cli => `${cli.title} ${VERSIONS.agents[cli.name].version}`;

export class Table {
  #cells = new Map();

  /** What earlier runs found, for those that this one leaves out. */
  #keepOthers() {
    const own = new Map(this.#cells);
    const [, inside = ''] = fs.readFileSync(PAGE, 'utf8').split(BEGIN);
    const rows = inside.split(END)[0].split('\n').filter(line => line.startsWith('| ')).map(line => line.split('|').slice(1, -1).map(cell => cell.trim()));
    const [head = [], ...others] = rows;
    for (const [title, ...cells] of others) {
      const [name] = Object.entries(SCENARIOS).find(([, scenario]) => scenario.title === title) ?? [];
      for (const cli of name ? Object.values(CLIS) : [])
        this.#cells.set(`${cli.id} ${name}`, own.get(`${cli.id} ${name}`) ?? cells[head.indexOf(heading(cli)) - 1]);
    }
  }

  add(cli, name, measures) {
    this.#cells.set(`${cli.id} ${name}`, seconds(measures));
  }

  text() {
    const clis = Object.values(CLIS);
    const head = ['scenario', ...clis.map(heading)];
    const rows = Object.entries(SCENARIOS).map(([name, { title, needs }]) =>
      [title, ...clis.map(cli => needs && !cli.can.has(needs) ? '–' : OPEN[cli.id]?.[name]?.live ? 'open' : this.#cells.get(`${cli.id} ${name}`) || '?')]);
    return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
  }

  write() {
    this.#keepOthers();
    const [before, rest] = fs.readFileSync(PAGE, 'utf8').split(BEGIN);
    fs.writeFileSync(PAGE, `${before}${BEGIN}\n${this.text()}\n${END}${rest.split(END)[1]}`);
  }
}
