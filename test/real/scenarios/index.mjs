// Every scenario by name, in the order of the table in docs/agents.md.
import * as answers from './answers.mjs';
import * as approval from './approval.mjs';
import * as background from './background.mjs';
import * as conversation from './conversation.mjs';
import * as crashes from './crashes.mjs';
import * as errors from './errors.mjs';
import * as question from './question.mjs';
import * as several from './several.mjs';
import * as subagent from './subagent.mjs';
import * as turns from './turns.mjs';

const { headless, interactive, ownMode, interrupted } = turns;
const { allowed, refused, escaped, leftAlone, longCommand, atTheDesk } = approval;

export const SCENARIOS = {
  headless, interactive, ownMode, interrupted,
  allowed, refused, escaped, leftAlone, longCommand, atTheDesk,
  ...answers, ...several, ...question, ...subagent, ...errors, ...conversation, ...crashes, ...background,
};

/** Those that this CLI can do. */
export const scenariosOf = cli => Object.entries(SCENARIOS).filter(([, { needs }]) => !needs || cli.can.has(needs));
